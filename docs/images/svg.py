"""A picture as SVG text, on a light card, so that it reads on light and on dark pages."""

from xml.sax.saxutils import escape

# Background of the card, its border, text, secondary text, lines.
CARD, BORDER, INK, GREY, LINE = "#fdfdfb", "#c9c9c2", "#1f2328", "#5b6370", "#8a929e"
SANS = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
MONO = "'DejaVu Sans Mono', Menlo, Consolas, monospace"


class Picture:
    """Collects shapes; `text()` is the whole SVG file."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.shapes = []

    def rectangle(self, x, y, width, height, fill="none", stroke="none", radius=0):
        self.shapes.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
                           f'rx="{radius:g}" fill="{fill}" stroke="{stroke}"/>')

    def polygon(self, points, fill):
        corners = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.shapes.append(f'<polygon points="{corners}" fill="{fill}"/>')

    def arrow(self, *points, stroke=LINE, dashed=False):
        """A line through `points`, with a head at the last."""
        path = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self.shapes.append(f'<path d="{path}" fill="none" stroke="{stroke}" '
                           f'stroke-width="1.4"{dash} marker-end="url(#head)"/>')

    def write(self, x, y, words, size=13, fill=INK, anchor="start", bold=False, mono=False):
        weight = ' font-weight="bold"' if bold else ""
        self.shapes.append(
            f'<text x="{x:g}" y="{y:g}" font-family="{MONO if mono else SANS}" '
            f'font-size="{size:g}" fill="{fill}" text-anchor="{anchor}"{weight}>'
            f'{escape(words)}</text>')

    def text(self):
        head = (f'<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
                f'markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{LINE}"/>'
                f'</marker>')
        card = (f'<rect x="0.5" y="0.5" width="{self.width - 1}" height="{self.height - 1}" '
                f'rx="8" fill="{CARD}" stroke="{BORDER}"/>')
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" '
            f'height="{self.height}" viewBox="0 0 {self.width} {self.height}" role="img">',
            f"<title>{escape(self.title)}</title>", f"<defs>{head}</defs>", card,
            *self.shapes, "</svg>", ""])
