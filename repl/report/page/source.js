// The source on the left: each line cut where any stretch of it begins or ends, so that a piece
// knows the innermost stretch that it lies in, which is what pointing at it means, and its colour.
//
//   torch.relu(x * y)    ->    torch . relu ( x  *  y )

// For each line of a source, its spans as [from, to, key], outer ones first.
function spansByLine(source) {
  const lines = source.lines.map(() => []);
  report.keys.forEach((key, id) => {
    if (key.kind !== 'span' || key.source !== source.id) return;
    for (let line = key.line; line <= Math.min(key.endLine, lines.length); ++line) {
      if (line < 1) continue;
      const from = line === key.line ? key.column : 0;
      const to = line === key.endLine ? key.endColumn : source.lines[line - 1].length;
      lines[line - 1].push([from, to, id]);
    }
  });
  return lines;
}

function depthOf(id) {
  let depth = 0;
  for (let at = id; at >= 0; at = report.keys[at].within) ++depth;
  return depth;
}

// The innermost key and the colour of each piece of a line: [[text, key, colour], ...].
function piecesOf(text, spans, shape) {
  const stretches = stretchesOf(text, shape);
  const cuts = new Set([0, text.length, ...stretches.map(([from]) => from)]);
  for (const [from, to] of spans) {
    cuts.add(Math.min(from, text.length));
    cuts.add(Math.min(to, text.length));
  }
  const sorted = [...cuts].sort((a, b) => a - b);
  const withDepth = spans.map((span) => [...span, depthOf(span[2])]);
  const pieces = [];
  for (let i = 0; i + 1 < sorted.length; ++i) {
    let best = -1;
    let depth = 0;
    for (const [from, to, key, inner] of withDepth) {
      if (from <= sorted[i] && to >= sorted[i + 1] && inner > depth) [best, depth] = [key, inner];
    }
    const [, , colour] = stretches.find(([, to]) => to > sorted[i]);
    pieces.push([text.slice(sorted[i], sorted[i + 1]), best, colour]);
  }
  return pieces;
}

class SourcePane {
  constructor(host) {
    this.host = host;
    this.lists = [];
    for (const source of report.sources) this.addSource(source);
  }

  addSource(source) {
    const spans = spansByLine(source);
    const lines = source.lines.map((text, i) => {
      const pieces = piecesOf(text, spans[i], source.shapes[i]);
      return {text, about: [], pieces};
    });
    const list = new LineList(lines, {
      label: source.name,
      numbered: true,
      draw: (line) => line.pieces.map(([text, key, colour]) => this.piece(text, key, colour)),
    });
    list.source = source;
    this.lists.push(list);
    const name = source.name.split('/').pop();
    this.host.append(make('details', {class: 'file', open: !source.library || null},
      make('summary', {title: source.name}, name), list.element));
  }

  piece(text, key, colour) {
    const made = make('span', {class: colour}, text);
    if (key < 0) return made;
    made.about = [key];
    this.lightPiece(made);
    return made;
  }

  lightPiece(piece) {
    const found = lightOf(piece.about, this.lit);
    if (found) piece.dataset.light = found;
    else delete piece.dataset.light;
  }

  light(light) {
    this.lit = light;
    for (const piece of this.host.querySelectorAll('.line > span')) {
      if (piece.about) this.lightPiece(piece);
    }
  }

  // The list and the line in which a stretch of source begins.
  placeOf(key) {
    const span = report.keys[key];
    const list = this.lists.find((each) => each.source.id === span.source);
    return list ? {list, line: span.line - 1} : null;
  }

  reveal(key) {
    const place = this.placeOf(key);
    if (!place || place.line < 0 || place.line >= place.list.lines.length) return;
    place.list.element.parentElement.open = true;
    place.list.reveal(place.line);
  }
}
