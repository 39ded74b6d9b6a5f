"""Reports as Markdown, HTML and JSON."""
