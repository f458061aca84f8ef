// The entries of a region side by side: the guards of each, and which one told them apart.

// Guards without their number: `tensor    x   float32[4, 8] cpu, contiguous`.
const guardText = (line) => line.text.replace(/^\s*g\d+\s+/, '').replace(/\s+/g, ' ');

function entriesOf(region) {
  return report.regions
    .map((each, id) => ({...each, id}))
    .filter((each) => each.place === report.regions[region].place);
}

function makeEntries(region) {
  const entries = entriesOf(region);
  const guardsOf = (id) => {
    const panel = report.panels.find((each) => each.region === id && each.stageName === 'guards');
    return panel ? panel.lines : [];
  };
  const all = entries.map((entry) => guardsOf(entry.id));
  const texts = all.map((lines) => new Set(lines.map(guardText)));
  const made = {lists: [], extra: []};
  const columns = entries.map((entry, i) => {
    const list = makeLines(all[i].map((line) => {
      const differs = /^\s*g\d/.test(line.text) && texts.some((other) => !other.has(guardText(line)));
      const failed = /^entry \d+ .* failed: /.test(line.text);
      const text = line.text.replace(/(\S) {2,}/g, '$1  ');
      return {...line, text, mark: differs ? '≠' : failed ? '!' : ''};
    }), `guards of ${entry.title}`, drawMarked);
    made.lists.push(list);
    return make('section', {class: entry.id === region ? 'entry current' : 'entry'},
      make('h3', {}, entry.title), list.element);
  });
  made.element = make('div', {class: 'entries'}, columns);
  made.light = (light) => made.lists.forEach((list) => list.light(light));
  return made;
}
