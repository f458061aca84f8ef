// Places for the boxes of a graph, in layers from top to bottom:
//
//   1. a box's layer is one below the lowest of those that it reads; inputs, and what is made of one
//      alone, stand right above their first reader;
//   2. an edge over several layers gets a bend in each, unless it is very long;
//   3. within a layer, boxes are ordered by the middle of their neighbours, some sweeps up and down;
//   4. each box moves towards its neighbours as far as the one beside it allows.
//
// layOut([{width, height}], [[from, to]])  sets x and y (the middle) of each box
//                                          and gives {width, height, routes: [[[x, y], ...], ...]}
// fullestMiddle(boxes, width, height)      where to look at what is larger than the room for it

const LAYER_GAP = 34;
const BOX_GAP = 22;
const LONGEST_BENT = 16;
const SWEEPS = 4;

function layersOf(count, edges) {
  const readers = Array.from({length: count}, () => []);
  const read = Array.from({length: count}, () => []);
  for (const [from, to] of edges) {
    readers[from].push(to);
    read[to].push(from);
  }
  const waits = read.map((each) => each.length);
  const layer = new Array(count).fill(0);
  const order = [...waits.keys()].filter((i) => waits[i] === 0);
  for (let k = 0; k < order.length; ++k) {
    for (const to of readers[order[k]]) {
      layer[to] = Math.max(layer[to], layer[order[k]] + 1);
      if (--waits[to] === 0) order.push(to);
    }
  }
  lowerInputs(order, read, readers, layer);
  return layer;
}

// Inputs, and what is made of one input alone (a weight's transpose), stand right above their first
// reader.
function lowerInputs(order, read, readers, layer) {
  const light = [];
  for (const i of order) light[i] = read[i].length === 0 || (read[i].length === 1 && light[read[i][0]]);
  for (const i of [...order].reverse()) {
    if (!light[i] || !readers[i].length) continue;
    layer[i] = Math.max(layer[i], Math.min(...readers[i].map((to) => layer[to])) - 1);
  }
}

// Items of all layers: the boxes and the bends, with their neighbours above and below.
function withBends(boxes, edges) {
  const layer = layersOf(boxes.length, edges);
  const items = boxes.map((box, i) => ({box, width: box.width, layer: layer[i], up: [], down: []}));
  const chains = edges.map(([from, to]) => {
    const chain = [from];
    const length = layer[to] - layer[from];
    if (length > 1 && length <= LONGEST_BENT) {
      for (let at = layer[from] + 1; at < layer[to]; ++at) {
        items.push({width: 4, layer: at, up: [], down: []});
        chain.push(items.length - 1);
      }
    }
    chain.push(to);
    for (let i = 0; i + 1 < chain.length; ++i) {
      items[chain[i]].down.push(chain[i + 1]);
      items[chain[i + 1]].up.push(chain[i]);
    }
    return chain;
  });
  return {items, chains};
}

function orderLayers(items, layers) {
  const place = new Array(items.length).fill(0);
  const settle = (layer) => layer.forEach((id, i) => { place[id] = i; });
  layers.forEach(settle);
  const middle = (id, side) => {
    const others = items[id][side];
    return others.length ? others.reduce((sum, each) => sum + place[each], 0) / others.length : place[id];
  };
  for (let sweep = 0; sweep < SWEEPS; ++sweep) {
    const side = sweep % 2 ? 'down' : 'up';
    for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
      const wanted = new Map(layer.map((id) => [id, middle(id, side)]));
      layer.sort((a, b) => wanted.get(a) - wanted.get(b));
      settle(layer);
    }
  }
}

const apart = (a, b) => (a.width + b.width) / 2 + BOX_GAP;

// The least change of the wanted places that keeps neighbours apart: halfway between pushing all to
// the right and pushing all to the left.
function pushApart(row, wanted) {
  const right = [...wanted];
  const left = [...wanted];
  for (let i = 1; i < row.length; ++i) {
    right[i] = Math.max(right[i], right[i - 1] + apart(row[i - 1], row[i]));
  }
  for (let i = row.length - 2; i >= 0; --i) {
    left[i] = Math.min(left[i], left[i + 1] - apart(row[i], row[i + 1]));
  }
  row.forEach((item, i) => { item.x = (right[i] + left[i]) / 2; });
}

function placeLayers(items, layers) {
  const rows = layers.map((layer) => layer.map((id) => items[id]));
  for (const row of rows) pushApart(row, row.map(() => 0));
  for (let sweep = 0; sweep < 2 * SWEEPS; ++sweep) {
    const side = sweep % 2 ? 'down' : 'up';
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      pushApart(row, row.map((item) => {
        const others = item[side].length ? item[side] : item[side === 'up' ? 'down' : 'up'];
        return others.length ? others.reduce((sum, id) => sum + items[id].x, 0) / others.length : item.x;
      }));
    }
  }
  let y = 0;
  for (const row of rows) {
    const height = Math.max(...row.map((item) => item.box ? item.box.height : 0), 10);
    for (const item of row) item.y = y + height / 2;
    y += height + LAYER_GAP;
  }
  return y - LAYER_GAP;
}

function layOut(boxes, edges) {
  const {items, chains} = withBends(boxes, edges);
  const layers = [];
  items.forEach((item, id) => (layers[item.layer] = layers[item.layer] || []).push(id));
  for (let i = 0; i < layers.length; ++i) layers[i] = layers[i] || [];
  const filled = layers.filter((layer) => layer.length);
  orderLayers(items, filled);
  const height = placeLayers(items, filled);
  const left = Math.min(...items.map((item) => item.x - item.width / 2), 0);
  const right = Math.max(...items.map((item) => item.x + item.width / 2), 0);
  for (const item of items) {
    item.x -= left;
    if (item.box) Object.assign(item.box, {x: item.x, y: item.y});
  }
  const routes = chains.map((chain) => chain.map((id) => [items[id].x, items[id].y]));
  return {width: right - left, height, routes};
}

// The x around which a part of that size, from the top, shows most boxes whole, at least one of them of
// the first layer. Parts that begin at a box are enough to look at: any other can move right up to one.
function fullestMiddle(boxes, width, height) {
  const edges = (box) => [box.x - box.width / 2, box.x + box.width / 2];
  const highest = Math.min(...boxes.map((box) => box.y));
  const near = boxes.filter((box) => box.y === highest || box.y + box.height / 2 <= height);
  let best = {count: 0};
  for (const first of near) {
    const [left] = edges(first);
    const shown = near.filter((box) => edges(box)[0] >= left && edges(box)[1] <= left + width);
    if (shown.length <= best.count || !shown.some((box) => box.y === highest)) continue;
    best = {count: shown.length, middle: (left + Math.max(...shown.map((box) => edges(box)[1]))) / 2};
  }
  // No box fits: the beginning of a first one.
  return best.count ? best.middle : edges(boxes.find((box) => box.y === highest))[0] + width / 2;
}
