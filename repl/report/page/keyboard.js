// The keys. A list of lines that has the focus is walked by arrows; the others work everywhere.

const KEYS = [
  ['↑ ↓', 'from line to line (k, j)', null],
  ['Home End', 'the first line, the last', null],
  ['Enter', 'keeps the light on what the line is about', null],
  ['← →', 'in the source: from piece to piece', null],
  ['Esc', 'lets the light go', () => pin(null)],
  ['[', 'the stage before', () => page.stages.step(-1)],
  [']', 'the next stage', () => page.stages.step(1)],
  ['{', 'the region before', () => stepRegion(-1)],
  ['}', 'the next region', () => stepRegion(1)],
  ['s', 'to the source', () => focusFirst(page.source.lists)],
  ['p', 'to the stage', () => focusFirst(page.stages.lists())],
  ['/', 'search', () => byId('search').focus()],
  ['n', 'the next that was found', () => goToFound(foundAt + 1)],
  ['N', 'the one before', () => goToFound(foundAt - 1)],
  ['t', 'light or dark', () => toggleTheme()],
  ['?', 'this list', () => byId('keys').showModal()],
];

function stepRegion(by) {
  const next = page.stages.region + by;
  if (next < 0 || next >= report.regions.length) return;
  page.stages.chooseRegion(next);
  rememberPlace();
}

function focusFirst(lists) {
  if (lists.length) lists[0].element.focus();
}

const STEPS = {ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 20, PageUp: -20};

// A key in a list of lines; whether it meant something.
function keyInList(list, event) {
  const inSource = page.source.lists.includes(list);
  const last = list.lines.length - 1;
  if (event.key in STEPS || event.key === 'Home' || event.key === 'End') {
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? last : list.active + STEPS[event.key];
    list.activate(Math.min(Math.max(to, 0), last), true);
    list.piece = -1;
    if (!inSource) {
      pointAt(list.lines[list.active].about);
      rememberPlace();
    }
    return true;
  }
  if (inSource && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
    stepPiece(list, event.key === 'ArrowRight' ? 1 : -1);
    return true;
  }
  if (event.key !== 'Enter') return false;
  const keys = inSource ? pieceKeys(list) : list.lines[list.active].about;
  pin(keys, inSource ? 'source' : 'stages');
  return true;
}

const piecesIn = (list) => [...list.elementAt(Math.max(list.active, 0)).children].filter((piece) => piece.about);

function stepPiece(list, by) {
  const pieces = piecesIn(list).filter((piece) => piece.textContent.trim());
  if (!pieces.length) return;
  pieces.forEach((piece) => piece.classList.remove('active'));
  list.piece = Math.min(Math.max((list.piece ?? -1) + by, 0), pieces.length - 1);
  pieces[list.piece].classList.add('active');
  pointAt(pieces[list.piece].about);
}

function pieceKeys(list) {
  const pieces = piecesIn(list).filter((piece) => piece.textContent.trim());
  const one = pieces[list.piece ?? -1];
  return one ? one.about : pieces.flatMap((piece) => piece.about);
}

function keyInTabs(event) {
  const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (!step) return false;
  page.stages.step(step);
  byId(`tab-${page.stages.stage}`).focus();
  return true;
}

function listenToKeys() {
  byId('keys').append(make('h2', {}, 'Keys'),
    make('dl', {}, KEYS.flatMap(([key, meaning]) => [make('dt', {}, key), make('dd', {}, meaning)])),
    make('form', {method: 'dialog'}, make('button', {}, 'close')));
  byId('help').addEventListener('click', () => byId('keys').showModal());
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId('keys').open) return;
    if (event.target.matches('input, select')) return;
    const list = event.target.list;
    let meant = list ? keyInList(list, event) : false;
    if (!meant && event.target.matches('[role=tab]')) meant = keyInTabs(event);
    const key = event.key === 'Escape' ? 'Esc' : event.key;
    const row = meant ? null : KEYS.find((each) => each[0] === key && each[2]);
    if (row) row[2]();
    if (meant || row) event.preventDefault();
  });
}
