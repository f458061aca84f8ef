// Places for the shapes beside the edges of a drawing, such that no shape lies on another or on a box.
//
//   new LabelPlaces(boxes)             {x, y, width, height}, of which x and y are the middle
//     .place([[x, y], ...], 'f32[4]')  where the text begins, [x, y]; null: there is no room
//
// A shape stands in the middle of its edge, or further up or down where that is taken. One without
// room is left out: the box that the edge comes from says it too.

const LABEL_CHARACTER = 6.1;
const LABEL_HEIGHT = 12;
const CELL = 64;
const PLACES = [0.5, 0.35, 0.65, 0.2, 0.8];

// A point of a piece of an edge, which leaves and arrives upright.
function pointOf([x0, y0], [x1, y1], t) {
  const s = 1 - t;
  const middle = (y0 + y1) / 2;
  return [x0 + (x1 - x0) * t * t * (3 - 2 * t),
    y0 * s * s * s + 3 * middle * s * t + y1 * t * t * t];
}

class LabelPlaces {
  constructor(boxes) {
    this.cells = new Map();  // what lies in each square of the drawing
    for (const {x, y, width, height} of boxes) {
      this.take([x - width / 2, y - height / 2, x + width / 2, y + height / 2]);
    }
  }

  place(points, text) {
    const width = text.length * LABEL_CHARACTER;
    for (let i = points.length - 1; i > 0; --i) {
      for (const t of PLACES) {
        const [x, y] = pointOf(points[i - 1], points[i], t);
        const area = [x + 2, y - LABEL_HEIGHT / 2, x + 6 + width, y + LABEL_HEIGHT / 2];
        if (!this.isFree(area)) continue;
        this.take(area);
        return [x + 4, y + 4];
      }
    }
    return null;
  }

  *squares([left, top, right, bottom]) {
    for (let i = Math.floor(left / CELL); i <= Math.floor(right / CELL); ++i) {
      for (let j = Math.floor(top / CELL); j <= Math.floor(bottom / CELL); ++j) yield `${i} ${j}`;
    }
  }

  take(area) {
    for (const square of this.squares(area)) {
      if (!this.cells.has(square)) this.cells.set(square, []);
      this.cells.get(square).push(area);
    }
  }

  isFree(area) {
    const isApart = (other) => area[2] <= other[0] || other[2] <= area[0] || area[3] <= other[1] || other[3] <= area[1];
    for (const square of this.squares(area)) {
      if (!(this.cells.get(square) || []).every(isApart)) return false;
    }
    return true;
  }
}
