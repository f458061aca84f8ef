// A graph, drawn: boxes with operator and type, edges with the shape of what goes along them. It can
// be dragged and zoomed, which d3-zoom does, and folded, so that each module, or each kernel, is one
// box (folding.js).

const FOLDED_FROM = 150;  // so many nodes begin folded, by module to no more boxes than that
const CHARACTER = 7.2;
const HUES = 12;
const MARGIN = 12;
const READABLE = 0.6;  // a graph that fits begins no smaller than that
const BEGINS = 0.7;    // one that does not begins at that, in part
const FAR = 0.35;  // drawn smaller than that, types and shapes are left out

function shortType(type) {
  return type.length > 34 ? `${type.slice(0, 33)}…` : type;
}

class DrawingPanel {
  constructor(panel) {
    this.drawings = panel.drawings;
    this.id = `drawing${DrawingPanel.count++}`;
    this.svg = makeSvg('svg', {class: 'graph', tabindex: 0, role: 'listbox',
      'aria-label': 'the graph; arrow keys go from box to box, the text below says the same'});
    this.chooser = make('select', {'aria-label': 'which graph', onchange: () => this.choose()},
      this.drawings.map((each, i) => make('option', {value: i}, each.title)));
    this.levels = make('select', {class: 'levels', 'aria-label': 'modules',
      onchange: () => this.refold(() => this.folding.foldLevel(Number(this.levels.value)))});
    this.fold = make('button', {type: 'button', onclick: () => this.toggleAll()}, 'fold kernels');
    const button = (name, label, run) =>
      make('button', {type: 'button', title: label, 'aria-label': label, onclick: run}, name);
    this.element = make('div', {class: 'drawing'},
      make('div', {class: 'tools', role: 'toolbar', 'aria-label': 'drawing'}, this.chooser, this.levels,
        this.fold, button('+', 'larger', () => this.zoom(1.25)), button('−', 'smaller', () => this.zoom(0.8)),
        button('fit', 'all of it', () => this.fit(0))),
      this.svg);
    this.listen();
    this.choose();
  }

  choose() {
    this.drawing = this.drawings[Number(this.chooser.value)];
    this.folding = new Folding(this.drawing);
    if (this.drawing.nodes.length > FOLDED_FROM) {
      this.folding.foldKernels(true);
      this.folding.foldTo(FOLDED_FROM);
    }
    this.fold.hidden = !this.drawing.groups.length;
    this.levels.hidden = !this.folding.levels;
    const names = Array.from({length: this.folding.levels}, (_, i) => `modules folded, level ${i + 1}`);
    this.levels.replaceChildren(...['modules unfolded', ...names].map((name, i) => make('option', {value: i}, name)),
      make('option', {value: -1, disabled: true}, 'modules folded by hand'));
    this.draw();
  }

  // Who walks the boxes goes on at the one that holds the same node.
  refold(change) {
    const node = this.active < 0 ? -1 : this.folding.boxOf.indexOf(this.items[this.active]);
    change();
    this.draw();
    if (node >= 0) this.activate(this.folding.boxOf[node].at);
  }

  toggleAll() {
    this.refold(() => this.folding.foldKernels(!this.folding.kernels.size));
  }

  // Opens the box of a folded module; else folds, or unfolds, its kernel.
  toggle(box) {
    if (box.isModule) this.refold(() => this.folding.unfoldModule(box.module));
    else if (box.group >= 0) this.refold(() => this.folding.toggleKernel(box.group));
  }

  // Folds the module that the box lies in; of a folded module, the one around it.
  foldAround(box) {
    const path = box.isModule ? prefixesOf(box.module).at(-2) : box.module;
    if (path) this.refold(() => this.folding.foldModule(path));
  }

  measure(box) {
    const isFolded = box.isModule || box.isKernel;
    if (isFolded) box.lines = [box.name, `${box.count} node${box.count === 1 ? '' : 's'}`];
    else if (box.target) box.lines = [`${box.name} = ${box.target}`, shortType(box.type)];
    else box.lines = box.type ? [box.name, shortType(box.type)] : [box.name];
    box.width = Math.max(...box.lines.map((line) => line.length)) * CHARACTER + 22;
    box.height = 12 + 17 * box.lines.length;
  }

  draw() {
    const boxes = this.folding.boxes();
    const {boxOf} = this.folding;
    boxes.forEach((box, i) => { box.at = i; this.measure(box); });
    const between = new Map();
    for (const [from, to, type] of this.drawing.edges) {
      const [a, b] = [boxOf[from].at, boxOf[to].at];
      if (a !== b && !between.has(`${a} ${b}`)) between.set(`${a} ${b}`, {from: a, to: b, type});
    }
    this.edges = [...between.values()];
    const placed = layOut(boxes, this.edges.map(({from, to}) => [from, to]));
    this.size = placed;
    this.items = boxes;
    this.boxElements = boxes.map((box, i) => this.drawBox(box, i));
    const labels = new LabelPlaces(boxes);
    this.world = makeSvg('g', {role: 'presentation'},
      makeSvg('g', {class: 'edges', 'aria-hidden': 'true'},
        this.edges.map((edge, i) => this.drawEdge(edge, placed.routes[i], boxes, labels))),
      makeSvg('g', {class: 'boxes', role: 'presentation'}, this.boxElements));
    this.svg.replaceChildren(this.world);
    this.fold.textContent = this.folding.kernels.size ? 'unfold kernels' : 'fold kernels';
    this.levels.value = this.folding.level();
    this.active = -1;
    this.svg.removeAttribute('aria-activedescendant');
    this.light(this.lit);
    this.fit();
  }

  drawBox(box, i) {
    const {x, y, width, height} = box;
    const isFolded = box.isModule || box.isKernel;
    const kind = isFolded ? 'box group' : box.target ? 'box' : 'box input';
    const where = box.module && !box.isModule ? [`in ${box.module}`] : [];
    const made = makeSvg('g', {class: kind, role: 'option', id: `${this.id}-${i}`,
      'aria-label': [...box.lines, ...where].join(', '),
      transform: `translate(${x - width / 2} ${y - height / 2})`},
      makeSvg('rect', {width, height, rx: box.target || isFolded ? 4 : 14}),
      box.lines.map((line, row) =>
        makeSvg('text', {x: width / 2, y: 20 + 17 * row, class: row ? 'type' : 'name'}, line)),
      this.stripes(box));
    made.about = box.about;
    made.addEventListener('dblclick', () => this.toggle(box));
    return made;
  }

  // What folds the box: on the left its kernel, on the right its module.
  stripes(box) {
    const stripe = (name, x, title, run) => makeSvg('rect', {class: `stripe ${name}`, x, width: 6,
      height: box.height, rx: 2, onclick: (event) => { event.stopPropagation(); run(); }},
      makeSvg('title', {}, title));
    const made = [];
    if (box.group >= 0) {
      const [name, isLibrary] = this.drawing.groups[box.group];
      made.push(stripe(`hue${box.group % HUES}`, 0, `${isLibrary ? 'library call' : 'kernel'} ${name}: ` +
        `${box.isKernel ? 'unfold' : 'fold'}`, () => this.toggle(box)));
    }
    if (box.module) {
      made.push(stripe('module', box.width - 6, `module ${box.module}: ${box.isModule ? 'unfold' : 'fold'}`,
        () => box.isModule ? this.toggle(box) : this.foldAround(box)));
    }
    return made;
  }

  drawEdge(edge, route, boxes, labels) {
    const points = route.map((point) => [...point]);
    points[0][1] += boxes[edge.from].height / 2;
    points[points.length - 1][1] -= boxes[edge.to].height / 2 + 3;
    let path = `M${points[0][0]} ${points[0][1]}`;
    for (let i = 1; i < points.length; ++i) {
      const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
      const middle = (y0 + y1) / 2;
      path += `C${x0} ${middle} ${x1} ${middle} ${x1} ${y1}`;
    }
    const shape = edge.type.replace(/\{.*\}/, '');
    const place = labels.place(points, shape);
    return makeSvg('g', {class: 'edge'}, makeSvg('path', {d: path}),
      place && makeSvg('text', {x: place[0], y: place[1]}, shape));
  }

  apply() {
    const view = this.view();
    this.world.setAttribute('transform', view);
    this.svg.classList.toggle('far', view.k < FAR);
  }

  // {k, x, y}: a place of the graph, times k, plus x and y, is one of the screen.
  view() {
    return d3.zoomTransform(this.svg);
  }

  room() {
    return [this.svg.clientWidth || 600, this.svg.clientHeight || 420];
  }

  // The whole of it, if that can be read; else as much as can be, with a box of the first layer.
  fit(smallest = READABLE) {
    const [width, height] = this.room();
    const whole = Math.min((width - 2 * MARGIN) / this.size.width, (height - 2 * MARGIN) / this.size.height, 1);
    const isWhole = whole >= smallest;
    const scale = isWhole ? whole : Math.max(smallest, BEGINS);
    const middle = isWhole ? this.size.width / 2
      : fullestMiddle(this.items, (width - 2 * MARGIN) / scale, (height - MARGIN) / scale);
    const y = isWhole ? (height - this.size.height * scale) / 2 : MARGIN;
    this.zooming.transform(this.surface, d3.zoomIdentity.translate(width / 2 - middle * scale, y).scale(scale));
  }

  zoom(factor) {
    this.zooming.scaleBy(this.surface, factor);
  }

  listen() {
    // The wheel scrolls the page, unless the drawing has the focus; with Ctrl it is also a pinch.
    const isMeant = ({type, ctrlKey, button}) => type === 'wheel'
      ? ctrlKey || document.activeElement === this.svg : !ctrlKey && !button;
    const unit = [0.0036, 0.1, 2];  // of a wheel's pixels, lines, pages
    this.zooming = d3.zoom().scaleExtent([0.03, 4]).clickDistance(3)
      .extent(() => [[0, 0], this.room()])
      .filter(() => isMeant(d3.event))
      .wheelDelta(() => -d3.event.deltaY * unit[d3.event.deltaMode])
      .on('zoom', () => this.apply());
    this.surface = d3.select(this.svg).call(this.zooming).on('dblclick.zoom', null);  // folds
    this.svg.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.world && this.fit()).observe(this.svg);
  }

  key(event) {
    const step = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1}[event.key];
    if (step) this.activate(this.active + step);
    else if (event.key === '+') this.zoom(1.25);
    else if (event.key === '-') this.zoom(0.8);
    else if (event.key === '0') this.fit(0);
    else if (event.key === ' ' && this.active >= 0) this.toggle(this.items[this.active]);
    else if (event.key === 'm' && this.active >= 0) this.foldAround(this.items[this.active]);
    else if (event.key === 'Enter' && this.active >= 0) pin(this.items[this.active].about, 'stages');
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  activate(i) {
    if (i < 0 || i >= this.items.length) return;
    if (this.active >= 0) this.boxElements[this.active].classList.remove('active');
    this.active = i;
    this.boxElements[i].classList.add('active');
    this.svg.setAttribute('aria-activedescendant', this.boxElements[i].id);
    this.center(this.items[i]);
    pointAt(this.items[i].about);
  }

  center({x, y}) {
    this.zooming.translateTo(this.surface, x, y);
  }

  light(light) {
    this.lit = light;
    for (const element of this.boxElements) element.dataset.light = lightOf(element.about, light);
  }
}
DrawingPanel.count = 0;
