// The source on the left: each line cut where any stretch of it begins or ends, so that a piece
// knows the innermost stretch that it lies in, which is what pointing at it means.
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

// The innermost key of each piece of a line: [[text, key], ...].
function piecesOf(text, spans) {
  const cuts = new Set([0, text.length]);
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
    pieces.push([text.slice(sorted[i], sorted[i + 1]), best]);
  }
  return pieces;
}

const KEYWORDS = new RegExp('^(def|class|return|if|elif|else|for|while|in|import|from|as|with|try|' +
  'except|finally|raise|pass|break|continue|and|or|not|is|lambda|None|True|False|yield|del|global|' +
  'nonlocal|assert|async|await|match|case)$');

function wordClass(text) {
  if (KEYWORDS.test(text)) return 'keyword';
  if (/^["']/.test(text)) return 'string';
  if (/^\d/.test(text)) return 'literal';
  return /^#/.test(text.trim()) ? 'comment' : null;
}

// Whether a stretch of several lines is one string, as a docstring is.
function isLongString(source, id) {
  const {line, column, endLine, endColumn} = report.keys[id];
  const first = line < endLine ? source.lines[line - 1].slice(column) : '';
  if (!/^[a-z]{0,2}("""|''')/i.test(first)) return false;
  const between = source.lines.slice(line, endLine - 1);
  const text = [first, ...between, source.lines[endLine - 1].slice(0, endColumn)].join('\n');
  return /^[a-z]*("""|''')(?:(?!\1)[^])*\1$/i.test(text);
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
      const pieces = piecesOf(text, spans[i]);
      return {text, about: [], pieces};
    });
    const list = new LineList(lines, {
      label: source.name,
      numbered: true,
      draw: (line) => line.pieces.map(([text, key]) => this.piece(text, key, source)),
    });
    list.source = source;
    this.lists.push(list);
    const name = source.name.split('/').pop();
    this.host.append(make('details', {class: 'file', open: !source.library || null},
      make('summary', {title: source.name}, name), list.element));
  }

  piece(text, key, source) {
    const isString = key >= 0 && isLongString(source, key);
    const made = make('span', {class: isString ? 'string' : wordClass(text)}, text);
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
