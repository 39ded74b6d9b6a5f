"""What must hold of every Run, one named function each; each yields a sentence for what does not."""
