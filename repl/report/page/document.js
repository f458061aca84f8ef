// The document that the page shows, unpacked from its JSON, with the indexes that pointing needs.
//
//   keys[4]      {kind: 'node', name: '%mul', region: 0, from: [2], became: [7, 8]}
//   linesOf[4]   every line of every panel that is about key 4

const KINDS = ['span', 'node', 'kernel', 'statement'];

function unpackKey(packed) {
  const kind = KINDS[packed[0]];
  if (kind !== 'span') {
    return {kind, name: packed[1], region: packed[2], from: packed[3], became: []};
  }
  const [, source, line, column, endLine, endColumn, within] = packed;
  return {kind, source, line, column, endLine, endColumn, within, inside: [], from: [], became: []};
}

// What a key is read from lies behind: `became` is `from` read backwards, `inside` is `within`.
function unpackKeys(packed) {
  const keys = packed.map(unpackKey);
  keys.forEach((key, id) => {
    for (const origin of key.from) keys[origin].became.push(id);
    if (key.kind === 'span' && key.within >= 0) keys[key.within].inside.push(id);
  });
  return keys;
}

// All lines of a panel: its own, and those of its passes.
function linesIn(panel) {
  return panel.passes ? panel.passes.flatMap((pass) => pass.lines) : panel.lines;
}

// The stretches of a line that have one colour, all of it: [[from, to, class], ...].
function stretchesOf(text, shape) {
  const stretches = [];
  let from = 0;
  for (let i = 0; i < shape.length; i += 2) {
    stretches.push([from, from + shape[i], report.colours[shape[i + 1]] || null]);
    from += shape[i];
  }
  if (from < text.length) stretches.push([from, text.length, null]);
  return stretches;
}

function readDocument(text) {
  const report = JSON.parse(text);
  const shapeOf = (number) => report.shapes[number] || [];
  for (const source of report.sources) source.shapes = source.shapes.map(shapeOf);
  report.keys = unpackKeys(report.keys);
  report.stages = report.stages.map(([name, description]) => ({name, description}));
  report.linesOf = report.keys.map(() => []);
  report.panels.forEach((panel, id) => {
    panel.id = id;
    panel.stageName = report.stages[panel.stage].name;
    const unpack = (line) => {
      const text = line[0].replaceAll('\n', '↵');  // a token may have several lines
      const made = {text, about: line[1], shape: shapeOf(line[2]), mark: line[3] || '', panel};
      for (const key of made.about) report.linesOf[key].push(made);
      return made;
    };
    panel.lines = panel.lines.map(unpack);
    for (const pass of panel.passes || []) pass.lines = pass.lines.map(unpack);
  });
  return report;
}

const report = readDocument(document.getElementById('document').textContent);
