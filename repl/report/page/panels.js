// What a tab shows: the panels of a stage, each drawn by what it has beside its lines.
//
//   graph   -> a drawing, then the text      memory, time -> bars, then the text
//   passes  -> a row a pass, with its change all others   -> the text

// What a line says, in colours.
function drawLine(line) {
  return stretchesOf(line.text, line.shape).map(([from, to, colour]) => {
    const text = line.text.slice(from, to);
    return colour ? make('span', {class: colour}, text) : text;
  });
}

// The same behind a column for marks.
function drawMarked(line) {
  return [make('span', {class: 'mark'}, line.mark === '@' ? '⋯' : line.mark || ' '), ...drawLine(line)];
}

function makeLines(lines, label, draw = drawLine) {
  return new LineList(lines, {label, draw});
}

// {element, lists, light(light)} of one panel.
function makePanel(panel) {
  const stage = panel.stageName;
  const made = {lists: [], extra: []};
  const parts = [];
  if (panel.drawings && panel.drawings.length) {
    made.drawing = new DrawingPanel(panel);
    made.extra.push(made.drawing);
    parts.push(made.drawing.element);
  }
  if (stage === 'memory') {
    const bars = new MemoryBars(panel);
    made.extra.push(bars);
    parts.push(bars.element);
  }
  if (stage === 'time') parts.push(timeBars(panel));
  if (panel.passes) {
    const passes = makePasses(panel);
    made.lists.push(...passes.lists);
    parts.push(passes.element);
  } else if (panel.lines.length) {
    const list = makeLines(panel.lines, `${stage} ${panel.title}`);
    made.lists.push(list);
    parts.push(list.element);
  } else {
    parts.push(make('p', {class: 'nothing'}, 'nothing of this region at this stage'));
  }
  made.element = make('div', {class: `panel stage-${stage}`}, parts);
  made.panel = panel;
  made.light = (light) => [...made.lists, ...made.extra].forEach((each) => each.light(light));
  return made;
}
