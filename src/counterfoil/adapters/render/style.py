"""Owns how the HTML report looks: one style sheet for screen and print, light and dark, wide and narrow.

Documents speak in a serif, Counterfoil in a sans. Never: remote fonts, images, or a colour as the only sign.
"""

from __future__ import annotations

_COLOURS = """
:root{color-scheme:light dark;--desk:#eef1f4;--paper:#fff;--raised:#f7f9fb;--ink:#16202b;--soft:#3c4957;
--muted:#5a6775;
--line:#dce2e8;--strong:#b9c3cd;--link:#0a58a6;--mark:#fff0a6;--mark-edge:#e3c437;--cite:#e7f0fa;
--good:#0a6547;--good-bg:#e0f3ea;--mixed:#7d5000;--mixed-bg:#fdf0d5;--bad:#9d241b;--bad-bg:#fde7e5;
--shadow:0 1px 2px #16202b14,0 12px 32px #16202b12;
--sans:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Inter,Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",
Arial,sans-serif;
--serif:Charter,"Bitstream Charter","Iowan Old Style","Source Serif 4","Noto Serif",Cambria,Georgia,
"Liberation Serif",serif;
--mono:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{--desk:#0d1217;--paper:#151c24;--raised:#1b242d;--ink:#e7ecf1;--soft:#c3ccd5;
--muted:#98a5b2;
--line:#2a353f;--strong:#465361;--link:#82bdff;--mark:#57480a;--mark-edge:#b3942a;--cite:#1d3349;
--good:#7fdcb3;--good-bg:#12382a;--mixed:#f2c46d;--mixed-bg:#3b2c0c;--bad:#ff9f96;--bad-bg:#431c19;--shadow:none}}
"""
_BASE = """
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--desk);color:var(--ink);font:16px/1.6 var(--sans);overflow-wrap:break-word}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.18em}
a:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
h1,h2,h3,p,ul,dl,dd,blockquote,table{margin:0;padding:0}
code{font:.86em/1.5 var(--mono)}
.skip{position:absolute;left:-9999px}
.skip:focus{left:16px;top:8px;background:var(--paper);padding:8px 12px;z-index:1}
"""
_SHEET = """
.sheet{max-width:1160px;margin:40px auto;background:var(--paper);border:1px solid var(--line);border-radius:10px;
box-shadow:var(--shadow);
display:grid;grid-template-columns:minmax(0,1fr) 312px;grid-template-areas:"head stub" "main stub"}
.masthead{grid-area:head;padding:40px 48px 0}
main{grid-area:main;padding:0 48px 48px;min-width:0}
.stub{grid-area:stub;border-left:2px dashed var(--strong);background:var(--raised);border-radius:0 10px 10px 0;
padding:40px 28px;position:relative;
font-size:14px;line-height:1.5}
.stub::before,.stub::after{content:"";position:absolute;left:-11px;width:20px;height:10px;background:var(--desk);
border:1px solid var(--line)}
.stub::before{top:-1px;border-radius:0 0 12px 12px;border-top:0}
.stub::after{bottom:-1px;border-radius:12px 12px 0 0;border-bottom:0}
.brand{font-size:13px;color:var(--muted);display:flex;gap:10px;align-items:baseline;flex-wrap:wrap}
.brand b{color:var(--ink);font-size:15px;letter-spacing:-.01em}
h1{font-size:clamp(24px,3.4vw,34px);line-height:1.2;letter-spacing:-.02em;font-weight:680;margin:22px 0 18px;
text-wrap:balance}
.badges{display:flex;flex-wrap:wrap;gap:8px 10px;align-items:center}
.badge{font-size:13.5px;font-weight:620;padding:3px 11px;border-radius:99px;border:1px solid transparent}
.good{color:var(--good);background:var(--good-bg)}.mixed{color:var(--mixed);background:var(--mixed-bg)}.bad{
color:var(--bad);background:var(--bad-bg)}
.plain{color:var(--soft);border-color:var(--strong);font-weight:500}
.counted{color:var(--muted);font-size:13.5px}
.status{color:var(--muted);margin-top:10px;font-size:14.5px}
section{margin-top:44px;scroll-margin-top:20px}
h2{font-size:19px;line-height:1.3;letter-spacing:-.01em;font-weight:660}
.note{color:var(--muted);font-size:14px;margin-top:3px}
section>h2+*,.note+*{margin-top:14px}section>h2+.note{margin-top:3px}
"""
_ANSWER = """
#answer{margin-top:30px;border-top:1px solid var(--line);padding-top:26px}
#answer>h2{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
#answer>h2+*{margin-top:0}
.body{font-size:17px;line-height:1.65}
.body>:not(table){max-width:70ch}
.body>*+*{margin-top:.85em}
.body>p:first-child{font-size:20px;line-height:1.5;letter-spacing:-.005em}
.body h3,.body h4,.body h5{font-size:17px;margin-top:1.5em;font-weight:660}
.body ul,.body ol{padding-left:1.35em}.body li+li{margin-top:.35em}
.body blockquote{font-family:var(--serif);border-left:3px solid var(--strong);padding-left:16px;color:var(--soft)}
.body table{display:block;overflow-x:auto;border-collapse:collapse;font-size:15px}
.body th:first-child,.body td:first-child{white-space:nowrap;font-weight:600}
.body th,.body td{border-bottom:1px solid var(--line);padding:7px 14px 7px 0;text-align:left;vertical-align:top}
.body pre{overflow-x:auto;background:var(--raised);padding:12px;border-radius:6px}
.cite{display:inline-block;font:600 12px/1.45 var(--mono);padding:0 5px;margin:0 1px;border-radius:4px;
background:var(--cite);color:var(--link);
text-decoration:none;vertical-align:.12em}
a.cite:hover{text-decoration:underline}
span.cite{color:var(--muted);background:none;border:1px solid var(--line)}
.host,.error{padding:10px 14px;border-radius:6px;margin-bottom:14px;background:var(--mixed-bg);color:var(--mixed);
font-size:15px}
.error{background:var(--bad-bg);color:var(--bad)}
"""
_TABLES = """
.scroll{overflow-x:auto}
.facts,.budget{border-collapse:collapse;width:100%;font-size:14.5px;line-height:1.45}
thead th{font-size:12.5px;font-weight:560;color:var(--muted);text-align:left;padding:0 14px 7px 0;
border-bottom:1px solid var(--strong);white-space:nowrap}
.facts tbody th,.facts tbody td{padding:10px 14px 10px 0;border-bottom:1px solid var(--line);text-align:left;
vertical-align:top;font-weight:400}
.facts tbody th{font-weight:600}
.facts .value{font-weight:640;font-variant-numeric:tabular-nums;max-width:22em}
.facts .long{font-weight:400}
.facts .asked th{padding-top:26px;border-bottom:0}
.facts q{font-family:var(--serif)}
.conditions{display:block;font-weight:400;color:var(--muted);font-size:13.5px}
.none{font-weight:400;color:var(--muted);font-style:italic}
.is-conflict .none,.is-conflict .value{color:var(--mixed)}
.facts td:last-child{padding-right:0}
.budget th,.budget td{padding:8px 0 8px 18px;border-bottom:1px solid var(--line);text-align:right;
font-variant-numeric:tabular-nums;vertical-align:top}
.budget thead th{padding-bottom:7px;border-bottom-color:var(--strong)}
.budget th:first-child{padding-left:0;text-align:left;font-weight:500}
.budget .unit{color:var(--muted);font-weight:400;margin-left:8px;font-size:13px}
.budget .sum{display:block;color:var(--muted);font-weight:400;font-size:13px}
.budget .bar{width:120px}
.unused{color:var(--muted)}
meter{appearance:none;-webkit-appearance:none;display:block;width:102px;height:7px;margin:7px 0 0 auto;border:0;
border-radius:4px;background:var(--line);overflow:hidden}
meter::-webkit-meter-inner-element{display:block}
meter::-webkit-meter-bar{background:var(--line);border:0;border-radius:4px;height:7px}
meter::-webkit-meter-optimum-value{background:var(--link)}
meter::-moz-meter-bar{background:var(--link);border-radius:4px}
"""
_BLOCKS = """
.card{border:1px solid var(--line);border-radius:8px;overflow:hidden;scroll-margin-top:16px;break-inside:avoid}
.card+.card{margin-top:18px}
.card:target{border-color:var(--link);box-shadow:0 0 0 3px var(--cite)}
.card header{display:flex;gap:13px;padding:15px 18px 13px;align-items:baseline}
.card .mark{font:650 13px/1.5 var(--mono);color:var(--link);background:var(--cite);padding:1px 7px;border-radius:4px}
.card h3{font-size:15.5px;line-height:1.4;font-weight:640}
.where{min-width:0}
.where p{font-size:13.5px;color:var(--muted);display:flex;flex-wrap:wrap;gap:0 10px}
.where p>*+*::before{content:"·";margin-right:10px;color:var(--strong)}
.where a{overflow-wrap:anywhere}
.card blockquote{font:16px/1.62 var(--serif);padding:16px 20px 18px;background:var(--raised);
border-top:1px solid var(--line);white-space:pre-line}
.around{color:var(--muted)}
mark{background:var(--mark);color:inherit;border-bottom:2px solid var(--mark-edge);padding:.08em 0;
box-decoration-break:clone;-webkit-box-decoration-break:clone}
.card footer{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 16px;font-size:13px;color:var(--muted);
padding:9px 18px;border-top:1px solid var(--line)}
.card footer b{color:var(--soft);font-weight:580}
.card footer a{margin-left:auto}
.cell{margin:0 18px 16px;font-size:14px}
.cell p{font-size:13.5px;margin-bottom:6px;color:var(--muted)}
.cell p b{color:var(--soft);font-weight:600;margin-right:10px}
.cell p span+span{margin-left:10px}
.cell table{border-collapse:collapse;font-variant-numeric:tabular-nums;max-width:100%}
.cell th,.cell td{border:1px solid var(--line);padding:6px 12px;text-align:left;font-weight:500;white-space:normal}
.cell thead th{background:var(--raised);font-size:12.5px;padding:5px 12px;border-bottom-color:var(--strong)}
.cell thead th+th,.cell td{text-align:right}
.cell td{font-weight:680;background:var(--mark)}
.conflict,.warning{border-left:4px solid var(--mixed);background:var(--mixed-bg);border-radius:0 6px 6px 0;
padding:13px 18px}
.conflict+.conflict,.warning+.warning{margin-top:10px}
.conflict h3,.warning h3{font-size:15px;font-weight:640;color:var(--mixed)}
.conflict ul{list-style:none;margin-top:6px}.conflict li{display:flex;flex-wrap:wrap;gap:2px 8px;align-items:baseline}
.conflict li+li{margin-top:4px}
.from{color:var(--soft);font-size:14px}
.warning{border-left-color:var(--bad);background:var(--bad-bg)}.warning h3{color:var(--bad)}
.mild{border-left-color:var(--mixed);background:var(--mixed-bg)}.mild h3{color:var(--mixed)}
.warning p{font-size:14.5px;margin-top:4px}.warning q{font-family:var(--serif);font-size:15.5px}
.gaps{list-style:none}
.gaps li{padding:12px 0;border-bottom:1px solid var(--line)}.gaps li:first-child{padding-top:0}
.gaps b{font-weight:620}.gaps .state{color:var(--muted);margin-left:10px;font-size:14.5px}
.tried{font-size:13.5px;color:var(--muted);margin-top:3px}
.tried q{display:block}
.sums{list-style:none}.sums li+li{margin-top:12px}
.sums .mark{font:650 13px/1.5 var(--mono);color:var(--link);
background:var(--cite);padding:1px 7px;border-radius:4px;margin-right:10px}
.sums code{font-size:14.5px}
.operands{font-size:14px;color:var(--muted);display:flex;flex-wrap:wrap;gap:2px 16px;margin-top:4px}
#rejections ul{padding-left:1.2em;font-size:14.5px}
"""
_STUB = """
.stub h2{font-size:14px;letter-spacing:0}
.stub dl{margin-top:14px}
.stub dt{color:var(--muted);font-size:12.5px;margin-top:11px}
.stub dd{color:var(--ink);overflow-wrap:anywhere}
.stub .sub{display:block;color:var(--muted);font-size:13px}
.stub dl+p{margin-top:22px;color:var(--muted);font-size:13px}
.head,.command{overflow-wrap:anywhere}
.command{display:block;margin-top:6px;background:var(--paper);border:1px solid var(--line);border-radius:6px;
padding:9px 11px;font-size:12px}
nav{margin-top:30px;padding-top:22px;border-top:1px solid var(--line);position:sticky;top:0}
nav ul{list-style:none;margin-top:8px}nav li{padding:2px 0}
nav a{color:var(--soft);text-decoration:none}nav a:hover{text-decoration:underline}
"""
_AUDIT = """
.draft{overflow-wrap:anywhere}
.draft .figure,.draft .quote,.draft .source{border-radius:3px;text-decoration:none;color:inherit;padding:.05em .12em}
.draft .bound{background:var(--good-bg);box-shadow:inset 0 -2px 0 var(--good)}
.draft .flagged{background:var(--bad-bg);box-shadow:inset 0 -2px 0 var(--bad);font-weight:620}
.draft .flagged::after{content:"\\2717";color:var(--bad);font-size:.72em;vertical-align:super;margin-left:1px}
.draft .free{box-shadow:inset 0 -1px 0 var(--strong)}
.draft .quote.bound,.draft .quote.flagged{background:none;padding:0}
.draft .source{font-size:.86em}
.draft a:hover{text-decoration:underline}
.draft :target{outline:3px solid var(--link);outline-offset:2px}
.key{display:flex;flex-wrap:wrap;gap:6px 18px;font-size:13.5px;color:var(--muted);list-style:none;margin-bottom:20px}
.key .figure{color:var(--ink);margin-right:5px}
.findings{list-style:none;margin:0;padding:0}
.findings li{border-left:4px solid var(--bad);background:var(--bad-bg);border-radius:0 6px 6px 0;padding:12px 18px;
scroll-margin-top:16px}
.findings li+li{margin-top:10px}
.findings li:target{box-shadow:0 0 0 3px var(--cite)}
.findings h3{font-size:15px;font-weight:640;color:var(--bad)}
.findings h3 a{color:inherit}
.findings .line{color:var(--muted);font-weight:400;font-size:13.5px;margin-left:10px}
.findings p{font-size:14.5px;margin-top:4px}
.findings code{color:var(--muted);font-size:12.5px}
@media print{.draft .figure,.draft .quote{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
"""
_NARROW = """
@media (max-width:900px){
.sheet{margin:0;border:0;border-radius:0;grid-template-columns:minmax(0,1fr);grid-template-areas:"head" "main" "stub"}
.masthead{padding:24px 20px 0}main{padding:0 20px 32px}
.stub{border-left:0;border-top:2px dashed var(--strong);border-radius:0;padding:28px 20px}
.stub::before,.stub::after{display:none}nav{display:none}}
@media (max-width:620px){
.body{font-size:16px}.body>p:first-child{font-size:18px}
.facts thead{display:none}.facts,.facts tbody,.facts tr,.facts td,.facts th{display:block}
.facts tr{padding:12px 0;border-bottom:1px solid var(--line)}.facts tr:first-child{padding-top:0}
.facts tbody th,.facts tbody td{border:0;padding:1px 0;display:grid;grid-template-columns:84px minmax(0,1fr);
gap:2px 10px;max-width:none}
.facts td::before,.facts tbody th::before{content:attr(data-label);color:var(--muted);font-weight:400;font-size:13px;
grid-column:1}
.facts td:empty{display:none}
.facts td>*{grid-column:2;justify-self:start}
.facts td:not(.value):has(>.cite){display:flex;gap:4px}.facts td:has(>.cite)::before{width:90px}
.budget .bar,.budget thead th:last-child{display:none}.budget th,.budget td{padding-left:10px}
.card header{padding:13px 14px 11px}.card blockquote{padding:14px}.card footer{padding:9px 14px}.cell{
margin:0 14px 14px;max-width:calc(100% - 28px)}}
"""
_PRINT = """
@media print{
:root{color-scheme:light;--desk:#fff;--paper:#fff;--raised:#fff;--ink:#000;--soft:#222;--muted:#555;--line:#ccc;
--strong:#999;--link:#003e7d;--cite:#fff;
--mark:#fff0a6;--good:#064;--good-bg:#fff;--mixed:#640;--mixed-bg:#fff;--bad:#800;--bad-bg:#fff;--shadow:none}
body{font-size:10.5pt}.skip,nav,.card footer a,.bar,.budget thead th:last-child{display:none}
.sheet{display:block;margin:0;border:0;max-width:none}.masthead,main{padding:0}
.stub{border:0;border-top:2px dashed #999;margin-top:24pt;padding:12pt 0 0;border-radius:0;break-inside:avoid}
.stub::before,.stub::after{display:none}
.badge{border:1px solid currentColor}.conflict,.warning{border:1px solid #999;border-left-width:4px}
mark{-webkit-print-color-adjust:exact;print-color-adjust:exact}
h2{break-after:avoid}tr{break-inside:avoid}a{text-decoration:none}}
"""

CSS = "".join((_COLOURS, _BASE, _SHEET, _ANSWER, _TABLES, _BLOCKS, _STUB, _AUDIT, _NARROW, _PRINT)).replace("\n", "")
