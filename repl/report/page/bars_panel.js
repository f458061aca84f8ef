// Memory over time, and time by stage, as bars.

// A row a slot, a column a step of the schedule; who lives in a slot is a bar over its steps.
class MemoryBars {
  constructor(panel) {
    const {steps, slots} = panel.memory;
    this.bars = [];
    const columns = Math.max(steps.length, 1);
    const rows = slots.map((slot, i) => make('div', {class: 'slot', role: 'row'},
      make('span', {class: 'slot-name', role: 'rowheader'}, `slot ${i}  ${slot.bytes} bytes  ${slot.role}`),
      make('div', {class: 'slot-steps', role: 'cell'},
        slot.tenants.map((tenant) => this.bar(tenant, columns)))));
    const heads = steps.length <= 24 ? steps : [];
    this.element = make('div', {class: 'memory', role: 'table', 'aria-label': 'memory over the steps'},
      make('div', {class: 'slot head', role: 'row'}, make('span', {class: 'slot-name'}, 'step'),
        make('div', {class: 'slot-steps'}, heads.map((step, i) => {
          const head = make('span', {class: 'step', title: step}, `${i} ${step}`);
          head.style.left = `${100 * i / columns}%`;
          head.style.width = `${100 / columns}%`;
          return head;
        }))),
      rows);
  }

  bar([name, key, first, last, leaves], columns) {
    const end = leaves ? columns : last + 1;
    const until = leaves ? 'on, it is an output' : `to ${last}`;
    const bar = make('span', {class: 'bar', title: `${name}: from step ${first} ${until}`}, name);
    bar.style.left = `${100 * first / columns}%`;
    bar.style.width = `${100 * (end - first) / columns}%`;
    bar.about = key >= 0 ? [key] : [];
    this.bars.push(bar);
    return bar;
  }

  light(light) {
    for (const bar of this.bars) bar.dataset.light = lightOf(bar.about, light);
  }
}

// `    llvm    13.036 ms`: a bar as long as the time, the parts of a stage indented.
function timeBars(panel) {
  const times = panel.lines
    .map((line) => /^(\s+)(\S.*?)\s+([\d.]+) ms$/.exec(line.text))
    .filter((found) => found)
    .map(([, indent, name, time]) => ({part: indent.length > 2, name, time: Number(time)}));
  const longest = Math.max(...times.map((each) => each.time), 1e-9);
  return make('div', {class: 'times', role: 'img', 'aria-label': 'time by stage; the text below says the same'},
    times.map((each) => {
      const bar = make('span', {class: 'bar'});
      bar.style.width = `${Math.max(100 * each.time / longest, 0.3)}%`;
      return make('div', {class: each.part ? 'time part' : 'time'}, make('span', {}, each.name),
        make('span', {class: 'track'}, bar), make('span', {}, `${each.time.toFixed(3)} ms`));
    }));
}
