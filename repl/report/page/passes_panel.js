// The passes: a row each; one that changed something opens to its change, those without a change are
// folded into one row between their neighbours.

function passRow(pass, lists) {
  const sizes = pass.before === pass.after ? pass.after : `${pass.before} → ${pass.after}`;
  const rules = pass.rules.length ? `${pass.rules.length} rule${pass.rules.length > 1 ? 's' : ''}` : '';
  const cells = [pass.name, sizes, rules, `${pass.milliseconds.toFixed(3)} ms`];
  const row = make('summary', {class: 'pass'}, cells.map((text) => make('span', {}, text)));
  const body = [];
  if (pass.lines.length) {
    const list = makeLines(pass.lines, `what ${pass.name} changed`, drawMarked);
    lists.push(list);
    body.push(list.element);
  }
  if (pass.rules.length) {
    body.push(make('ul', {class: 'rules', 'aria-label': 'rules that fired'},
      pass.rules.map((rule) => make('li', {}, rule))));
  }
  if (!body.length) return make('div', {class: 'pass plain'}, [...row.children]);
  return make('details', {class: 'change', open: true}, row, body);
}

function makePasses(panel) {
  const lists = [];
  const element = make('div', {class: 'passes'});
  let unchanged = [];
  const flush = () => {
    if (!unchanged.length) return;
    const count = unchanged.length === 1 ? '1 pass' : `${unchanged.length} passes`;
    element.append(make('details', {class: 'unchanged'},
      make('summary', {}, `${count} without a change: ${unchanged.map((each) => each.name).join(', ')}`),
      unchanged.map((pass) => passRow(pass, lists))));
    unchanged = [];
  };
  for (const pass of panel.passes) {
    if (!pass.changed) {
      unchanged.push(pass);
      continue;
    }
    flush();
    element.append(passRow(pass, lists));
  }
  flush();
  return {element, lists};
}
