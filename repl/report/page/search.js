// Search through the source and all stages of the chosen region. What is found is a list to choose
// from; n and N go on from there.

const MOST_FOUND = 300;
let found = [];
let foundAt = -1;

function findAll(words) {
  const wanted = words.toLowerCase();
  const results = [];
  const look = (lines, where) => {
    for (let i = 0; i < lines.length && results.length < MOST_FOUND; ++i) {
      if (lines[i].text.toLowerCase().includes(wanted)) results.push({...where, line: i, text: lines[i].text});
    }
  };
  for (const list of page.source.lists) look(list.lines, {stage: 'source', list});
  for (const name of page.stages.names()) {
    if (name === ENTRIES) continue;
    let before = 0;
    for (const panel of page.stages.panelsOf(name)) {
      const first = results.length;
      look(linesIn(panel), {stage: name});
      for (const each of results.slice(first)) each.line += before;
      before += linesIn(panel).length;
    }
  }
  return results;
}

function showFound() {
  const words = byId('search').value.trim();
  found = words.length > 1 ? findAll(words) : [];
  foundAt = -1;
  const items = found.map((each, i) => make('li', {},
    make('button', {type: 'button', onclick: () => goToFound(i)},
      make('b', {}, each.stage), ` ${each.text.trim().slice(0, 90)}`)));
  if (!found.length && words.length > 1) items.push(make('li', {class: 'none'}, 'nothing found'));
  if (found.length === MOST_FOUND) items.push(make('li', {class: 'none'}, `the first ${MOST_FOUND}`));
  byId('found').replaceChildren(...items);
  byId('found').hidden = !items.length;
}

function goToFound(i) {
  if (!found.length) return;
  foundAt = (i + found.length) % found.length;
  const each = found[foundAt];
  byId('found').hidden = true;
  if (each.stage === 'source') {
    each.list.element.parentElement.open = true;
    each.list.activate(each.line, true);
    each.list.reveal(each.line);
    return;
  }
  page.stages.show(each.stage);
  goToLine(each.line);
}

// Arrows walk what was found; above the first is the box, to which Escape leads as well.
function keyInFound(event) {
  const buttons = [...byId('found').querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement);
  if (event.key === 'ArrowDown') buttons[Math.min(at + 1, buttons.length - 1)].focus();
  else if (event.key === 'ArrowUp') (buttons[at - 1] || byId('search')).focus();
  else if (event.key === 'Escape') {
    byId('search').focus();
    byId('found').hidden = true;
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function listenToSearch() {
  const box = byId('search');
  box.addEventListener('input', showFound);
  box.addEventListener('focus', () => { if (found.length) byId('found').hidden = false; });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      if (found.length) box.blur();  // n and N are keys of the page's, not letters of the box
      goToFound(foundAt + (event.shiftKey ? -1 : 1));
    } else if (event.key === 'Escape') box.blur();
    else if (event.key === 'ArrowDown') (byId('found').querySelector('button') || box).focus();
    else return;
    event.preventDefault();
  });
  byId('found').addEventListener('keydown', keyInFound);
  document.addEventListener('pointerdown', (event) => {
    if (!event.target.closest('.search')) byId('found').hidden = true;
  });
}
