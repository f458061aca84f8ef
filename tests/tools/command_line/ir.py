"""`glint ir`: graphs and kernels as text, checked, passed on and run."""

ROW_SUM = """kernel row_sum(%x: f32[s0, 8], %out: f32[s0])   from %sum
   0  parallel i in 0..s0 {
   1    acc = reduction sum : f32   %sum
   2    reduce j in 0..8 {
   3      a = load %x[i, j]         %sum
   4      acc += a                  %sum
        }
   5    store %out[i] = acc         %sum
      }

schedule f(%x: f32[s0, 8]) -> f32[s0] {
  slot 0   4*s0 bytes, output
  %out = tensor f32[s0] in slot 0
  launch row_sum(%x, %out)
  return %out
}
"""

LOOK_UP = """kernel look_up(%x: f32[3], %n: i64[4], %out: f32[4])   from %take
  parallel i in 0..4 {
    n = load %n[i]              %take
    m = add n, 2                %take
    a = load %x[m]              %take
    store %out[i] = a           %take
  }

schedule f(%x: f32[3], %n: i64[4]) -> f32[4] {
  slot 0   16 bytes, output
  %out = tensor f32[4] in slot 0
  launch look_up(%x, %n, %out)
  return %out
}
"""

SIZES = """graph f(%x: f32[s0], %y: f32[s1], %n: i64[5]) -> f32[5] {
  where (s0 % 6) == 0, s1 == s0
  %add  = add %x, %y                     : f32[s1]
  %take = index_select %add, 0, %n       : f32[5]
  %rand = rand_like %take                : f32[5]
  %sum  = add %take, %rand               : f32[5]
  return %sum
}
"""

JOINT_GRAPH = """graph f(%x: f32[8], %t: f32[8]) -> (f32[8], f32[8]) {
  %y = exp %x : f32[8]
  %g = multiply %t, %y : f32[8]
  return %y, %g
}
"""

CASES = [
    (["ir", "--run", "-"], ROW_SUM, {}, 0, r"\A== interp\ntensor\(\[ 7\., 23\., 39\., 55\.\]\)\n== cpu\n"),
    (
        ["ir", "--run", "-"],
        ROW_SUM.replace("0..8", "0..9"),
        {},
        1,
        r"-:5:11: kernel row_sum, statement 3: index 1 of `%x` reaches 8, its size is 8\n    +3  ",
    ),
    (
        ["ir", "--run", "-"],
        ROW_SUM.replace("[i, j]", "[j, i]"),
        {},
        1,
        r"-:5:11: kernel row_sum, statement 3: index 0 of `%x` reaches 7, its size is 4\n",
    ),
    (
        ["ir", "--run", "-"],
        LOOK_UP,
        {},
        1,
        r"-:5:5: kernel look_up, statement 3: index 3 of `%x` is not within 0..3\n    +a = load",
    ),
    (
        ["ir", "--run", "-"],
        ROW_SUM.replace("(%x: f32[s0, 8]) ->", "(%x: f32[s0, 7]) ->"),
        {},
        1,
        r"`%x` has 28 elements, `row_sum` takes 32|`%x` has 7\*s0 elements, `row_sum` takes 8\*s0",
    ),
    (["ir", "--run", "-"], SIZES, {}, 0, r"(?s)\A== interp\n(tensor.*)== cpu\n\1\Z"),
    (
        ["ir", "-"],
        SIZES.replace("(s0 % 6) == 0", "s0 = 4, (s0 % 6) == 0"),
        {},
        1,
        r"no sizes fulfil `where s0 = 4, \(s0 % 6\) == 0, s1 == s0`\n",
    ),
    (
        ["ir", "--passes", "decompose,fuse,order,lower", "-"],
        SIZES.replace("rand_like", "sin"),
        {},
        0,
        r"(?s)\A== graph f\ngraph f.*\n  where .*\n== kernels f\nkernel .*schedule f",
    ),
    (
        ["ir", "-"],
        SIZES + ROW_SUM,
        {},
        0,
        r"(?s)\A== graph\ngraph f.*\n== kernels\nkernel row_sum.*schedule f",
    ),
    (["ir", "--run", "-"], "import torch\n", {}, 1, r"-:1:1: expected `graph`, `kernel` or `schedule`"),
    (["ir", "--run", "--passes", "nope", "-"], SIZES, {}, 1, r"-: there is no pass `nope`"),
    (
        ["ir", "--run", "--passes", "decompose", "-"],
        SIZES,
        {},
        0,
        r"(?s)\A== interp\n(tensor.*)== cpu\n\1\Z",
    ),
    (["ir", "--list-passes"], "", {}, 0, r"(?s)decompose .*fuse .*plan_buffers "),
    (["ir"], "", {}, 2, r"usage: glint ir"),
    (
        ["ir", "--partition", "1,1", "-"],
        JOINT_GRAPH,
        {},
        0,
        r"(?s)\A== graph f_forward\n.*return %y\n.*== graph f_backward\n.*"
        r"== partition f\nnot read +%x .*\nsaved +%y .* an output: alive anyway; for %g\n",
    ),
    (["ir", "--partition", "2,1", "-"], JOINT_GRAPH, {}, 1, r"-: %g, an output of the forward, dep"),
]
