// Which nodes of a drawing share a box: those of a folded module, and those of a folded kernel.
//
//   new Folding(drawing)      modules Set {'Net.layers.0'}, kernels Set {3}: what is folded
//     .boxes()                [{name, about, count, reads: Set of boxes, ...}, ...], a box a node
//                             where nothing is folded
//
// A node goes to the outermost folded module that it belongs to, else to its folded kernel. Boxes
// never wait for one another in a circle: a module that is called again behind something else that
// its first call led to (one `self.relu` for two layers) gets a second box.

const prefixesOf = (path) => path ? path.split('.').map((_, i, all) => all.slice(0, i + 1).join('.')) : [];
const levelOf = (path) => path ? path.split('.').length : 0;
const isBelow = (path, outer) => path.startsWith(`${outer}.`);

function commonModule(a, b) {
  const others = prefixesOf(b);
  return prefixesOf(a).filter((prefix, i) => prefix === others[i]).pop() || '';
}

class Folding {
  constructor(drawing) {
    this.nodes = drawing.nodes.map(([key, name, target, type, group, module]) =>
      ({key, name, target, type, group, module}));
    this.groups = drawing.groups;
    this.reads = this.nodes.map(() => []);
    for (const [from, to] of drawing.edges) this.reads[to].push(from);
    this.paths = new Set(this.nodes.flatMap(({module}) => prefixesOf(module)));
    this.levels = Math.max(0, ...[...this.paths].map(levelOf));
    this.modules = new Set();
    this.kernels = new Set();
  }

  // Folds all modules at a level, `Net.layers.0` at level 3, and those above it that have none inside;
  // at level 0 none.
  foldLevel(level) {
    this.modules = new Set(level > 0 ? this.pathsAt(level) : []);
  }

  pathsAt(level) {
    const all = [...this.paths];
    const outer = new Set(all.map((path) => prefixesOf(path).at(-2)));
    return all.filter((path) => levelOf(path) === level || (levelOf(path) < level && !outer.has(path)));
  }

  foldKernels(folds) {
    this.kernels = new Set(folds ? this.groups.keys() : []);
  }

  // The level at which all modules are folded; -1: some are, by hand.
  level() {
    const level = Math.max(0, ...[...this.modules].map(levelOf));
    const all = level ? this.pathsAt(level) : [];
    return all.length === this.modules.size && all.every((path) => this.modules.has(path)) ? level : -1;
  }

  // The deepest level that leaves so few boxes; level 1 where none does.
  foldTo(most) {
    for (let level = this.levels; level > 0; --level) {
      this.foldLevel(level);
      if (level === 1 || this.boxes().length <= most) return;
    }
  }

  foldModule(path) {
    this.modules = new Set([...this.modules].filter((each) => !isBelow(each, path)));
    this.modules.add(path);
  }

  // The module shows what is right below it.
  unfoldModule(path) {
    this.modules.delete(path);
    for (const each of this.paths) {
      if (isBelow(each, path) && levelOf(each) === levelOf(path) + 1) this.modules.add(each);
    }
  }

  toggleKernel(group) {
    if (!this.kernels.delete(group)) this.kernels.add(group);
  }

  // Nodes in an order that runs, inputs right before their first reader.
  order() {
    const placed = new Set();
    const lay = (node) => placed.add(node);
    this.nodes.forEach((node, i) => {
      if (!node.target && !this.reads[i].length && i + 1 < this.nodes.length) return;
      this.reads[i].forEach(lay);
      lay(i);
    });
    this.nodes.forEach((_, i) => lay(i));
    return [...placed];
  }

  boxes() {
    const boxes = [];
    const newest = new Map();  // by what is folded: its last box
    const boxOf = [];
    this.order().forEach((i, time) => {
      const node = this.nodes[i];
      const module = prefixesOf(node.module).find((path) => this.modules.has(path));
      const kernel = module === undefined && this.kernels.has(node.group);
      const fold = module !== undefined ? `module ${module}` : kernel ? `kernel ${node.group}` : '';
      const reads = new Set(this.reads[i].map((from) => boxOf[from]));
      let box = newest.get(fold);
      if (!fold || !box || leadsBack(reads, box)) {
        box = this.newBox(node, module, kernel, time);
        boxes.push(box);
        if (fold) newest.set(fold, box);
      }
      reads.delete(box);
      reads.forEach((each) => box.reads.add(each));
      box.last = time;
      if (node.key >= 0) box.about.push(node.key);
      if (node.target) ++box.count;
      if (kernel) box.module = commonModule(box.module, node.module);
      boxOf[i] = box;
    });
    this.boxOf = boxOf;
    return boxes;
  }

  newBox(node, module, kernel, time) {
    const box = {...node, about: [], count: 0, reads: new Set(), first: time, last: time};
    if (module !== undefined) Object.assign(box, {name: module, module, group: -1, isModule: true});
    if (kernel) Object.assign(box, {name: this.groups[node.group][0], isKernel: true});
    return box;
  }
}

// Whether what these boxes are made of has been through that one, and left it.
function leadsBack(starts, wanted) {
  const seen = new Set(starts);
  seen.delete(wanted);
  for (const box of seen) {
    if (box.last < wanted.first) continue;  // older than all of it
    for (const read of box.reads) {
      if (read === wanted) return true;
      seen.add(read);
    }
  }
  return false;
}
