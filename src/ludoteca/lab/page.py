"""The HTML page of a report: its style sheet, tables and figures. It needs no network and no script."""

from collections.abc import Sequence
from html import escape

CSS = """
:root{color-scheme:light dark;--ink:light-dark(#20242c,#f1ece2);--soft:light-dark(#6b6558,#a39d90)}
:root{--line:light-dark(#e2d8c6,#3a404d);--paper:light-dark(#f5efe4,#16181d);--card:light-dark(#fffdf8,#1f2229)}
:root{--mark:light-dark(#0b5d5a,#4cc4b5);--other:light-dark(#b4430f,#ff9d5c)}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:1240px;margin:0 auto;padding:1rem clamp(.9rem,3vw,2.5rem) 3rem}
h1{font-size:clamp(1.6rem,4vw,2.3rem);line-height:1.15;margin:.6rem 0}h2{font-size:1.35rem;margin:2.2rem 0 .7rem}
h3{font-size:1.02rem;margin:0 0 .3rem}.soft{color:var(--soft)}
pre{background:var(--card);border:1px solid var(--line);padding:.7rem .9rem;border-radius:10px;font-size:.9rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
ul{margin:0;padding-left:1.15rem}li{margin:.25rem 0}
.findings{display:grid;gap:.9rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr))}
.findings section,figure,.wide{background:var(--card);border:1px solid var(--line);border-radius:14px}
.findings section{padding:.9rem 1.1rem}.findings .all{grid-column:1/-1;font-size:1.06rem}
.charts{columns:21rem;column-gap:.9rem}
figure{margin:0 0 .9rem;break-inside:avoid;padding:.5rem .5rem .8rem}
figcaption{font-size:.88rem;color:var(--soft);padding:0 .8rem}
svg{width:100%;height:auto;display:block}
.maps{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.9rem;margin-bottom:.9rem}
.maps svg{width:min(100%,17.4rem);flex:none;border:1px solid var(--line);border-radius:14px}
.wide{overflow-x:auto;width:fit-content;max-width:100%}table{border-collapse:collapse;font-size:.92rem}
th,td{padding:.4rem .8rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
tr:last-child td{border-bottom:0}
th:first-child,td:first-child{text-align:left;white-space:normal;min-width:9rem;position:sticky;left:0}
th:first-child,td:first-child{background:var(--card)}
.one{color:var(--mark)}.two{color:var(--other)}.clear{font-weight:650}
"""


def table(head: Sequence[str], rows: Sequence[Sequence[str]], strong: Sequence[bool] = ()) -> str:
    """Return a table that scrolls by itself where it is wider than the page. `strong` marks rows."""
    cells = "".join(f"<th>{escape(word)}</th>" for word in head)
    body = ""
    for place, row in enumerate(rows):
        kind = ' class="clear"' if place < len(strong) and strong[place] else ""
        body += f"<tr{kind}>" + "".join(f"<td>{escape(word)}</td>" for word in row) + "</tr>"
    return f'<div class="wide"><table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>'


def figure(drawing: str, meaning: str) -> str:
    """Return a plot with the sentence that explains it."""
    return f"<figure>{drawing}<figcaption>{escape(meaning)}</figcaption></figure>"


def page(title: str, content: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{CSS}</style></head><body><main>{content}</main></body></html>\n"
    )
