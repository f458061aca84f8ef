#include "ir/kernel.h"

#include <catch2/catch.hpp>

#include "ir/kernel_builder.h"

using namespace glint;

namespace {

constexpr std::string_view kKernel =
    "kernel multiply_relu_sum(%x: f32[s0, 8], %y: f32[s0, 8], %out: f32[s0])"
    "   from %sum %mul %relu\n"
    "   0  parallel i in 0..s0 {\n"
    "   1    acc = reduction sum : f32   5:11 %sum\n"
    "   2    reduce j in 0..8 {\n"
    "   3      a = load %x[i, j]         5:22 %mul\n"
    "   4      b = load %y[i, j]         5:22 %mul\n"
    "   5      c = multiply a, b         5:22 %mul\n"
    "   6      d = maximum c, 0.0        5:11 %relu\n"
    "   7      acc += d                  5:11 %sum\n"
    "        }\n"
    "   8    store %out[i] = acc         5:11 %sum\n"
    "      }\n";

constexpr std::string_view kSchedule =
    "schedule f(%x: f32[s0, 8], %y: f32[s0, 8]) -> (f32[s0], f32[8, s0]{1, 8}) {\n"
    "  slot 0   4*s0 bytes, output\n"
    "  slot 1   32*s0 bytes, workspace\n"
    "  %sum = tensor f32[s0] in slot 0\n"
    "  %t   = view %x, offset 0 : f32[8, s0]{1, 8}\n"
    "  %mm  = tensor f32[s0, 8] in slot 1\n"
    "  %c   = constant [1.0, 2.0] : f32[2]\n"
    "  call %mm = matmul %x, %y, bias=None, activation=\"relu\"   from %mm 3:4\n"
    "  launch multiply_relu_sum(%x, %mm, %sum)   reads 64*s0 bytes, writes 4*s0\n"
    "  return %sum, %t\n"
    "}\n";

std::string error_of(std::string_view text) {
  auto kernel = parse_kernel(text);
  if (!kernel.ok()) return kernel.error().message;
  auto error = verify_kernel(*kernel);
  return error ? error->message : "no error";
}

}  // namespace

TEST_CASE("a kernel reads back from its text") {
  auto kernel = parse_kernel(kKernel);
  REQUIRE(kernel.ok());
  CHECK_FALSE(verify_kernel(*kernel));
  CHECK(print(*kernel) == kKernel);
  CHECK(traffic(*kernel).read.text() == "64*s0");
  CHECK(traffic(*kernel).written.text() == "4*s0");
}

TEST_CASE("the builder makes the same kernel") {
  SymInt s0 = SymInt::symbol(0);
  TensorType rows = TensorType::tensor(DType::kFloat32, {s0, 8});
  KernelBuilder b("multiply_relu_sum");
  BufferId x = b.parameter("x", rows), y = b.parameter("y", rows);
  BufferId out = b.parameter("out", TensorType::tensor(DType::kFloat32, {s0}));
  auto at = [](uint32_t column) { return std::vector<Span>{{SourceId(1), 5, column, 5, column}}; };
  uint32_t sum = b.add_origin("sum", at(11)), mul = b.add_origin("mul", at(22)),
           relu = b.add_origin("relu", at(11));
  StatementId i = b.open(LoopKind::kParallel, s0);
  b.set_origin(sum);
  StatementId acc = b.reduction(Combiner::kSum, DType::kFloat32);
  StatementId j = b.open(LoopKind::kReduce, 8);
  b.set_origin(mul);
  Operand a = b.load(x, {i, j});
  Operand product = b.compute(ScalarFunction::kMultiply, DType::kFloat32, {a, b.load(y, {i, j})});
  b.set_origin(relu);
  Operand positive = b.compute(ScalarFunction::kMaximum, DType::kFloat32, {product, 0.0});
  b.set_origin(sum);
  b.accumulate(acc, {positive});
  b.close();
  b.store(out, {i}, acc);
  b.close();
  Kernel kernel = b.finish();
  CHECK(print(kernel) == kKernel);
  CHECK(same_kernel(kernel, *parse_kernel(kKernel)));
}

TEST_CASE("every kind of statement reads back") {
  constexpr std::string_view kText =
      "kernel all(%x: bf16[s0, 8]{1, s0}, %lr: f64, %n: i64[4], %out: bf16[s0, 8] over %x)\n"
      "   0  t = scratch row f32[8]\n"
      "   1  acc = reduction argmax : f32\n"
      "   2  parallel i in 0..s0 thread {\n"
      "   3    a = load %lr[]\n"
      "   4    b = load %n[2]\n"
      "   5    c = index (s0 + 1)*i - 2*b + 8*s0 + 3\n"
      "   6    d = less c, 10\n"
      "   7    check d, \"index out of range\"\n"
      "   8    e = load %x[i, b + 1] if d else -inf\n"
      "   9    f = cast e : f32\n"
      "  10    g = where d, 1.0, 0.0 : f32\n"
      "  11    store t[b] = g\n"
      "  12    store %out[i, 0] = e if d\n"
      "  13    reduce j in 0..(s0 // 2) vector {\n"
      "  14      acc = argmax(acc, f, j)\n"
      "        }\n"
      "      }\n"
      "  15  h = cast acc.1 : f32\n";
  auto kernel = parse_kernel(kText);
  REQUIRE(kernel.ok());
  CHECK_FALSE(verify_kernel(*kernel));
  CHECK(print(*kernel) == kText);
}

TEST_CASE("a loop over a block ends with its axis") {
  constexpr std::string_view kBlocks =
      "kernel blocks(%x: f32[s0], %out: f32[((s0 + 63) // 64)])\n"
      "   0  parallel i in 0..((s0 + 63) // 64) {\n"
      "   1    acc = reduction sum : f32\n"
      "   2    reduce j in 0..min(64, -64*i + s0) {\n"
      "   3      a = load %x[64*i + j]\n"
      "   4      acc += a\n"
      "        }\n"
      "   5    store %out[i] = acc\n"
      "      }\n";
  auto kernel = parse_kernel(kBlocks);
  REQUIRE(kernel);
  REQUIRE(print(*kernel) == kBlocks);
  REQUIRE(kernel->statements[2].get_if<Loop>()->rest->coefficient(StatementId(0)) == -64);
  for (const int64_t size : {64, 100, 1000})
    REQUIRE(!verify_kernel(*kernel, std::vector<int64_t>{size}));

  auto changed = [&](std::string_view from, std::string_view to) -> std::string {
    std::string text(kBlocks);
    text.replace(text.find(from), from.size(), to);
    auto parsed = parse_kernel(text);
    if (!parsed) return parsed.error().message;
    auto error = verify_kernel(*parsed, std::vector<int64_t>{100});
    return error ? error->message : "";
  };
  REQUIRE_THAT(changed("64*i + s0)", "64*i + s0 + 1)"), Catch::Contains("reaches 100"));
  REQUIRE_THAT(changed("min(64, -64*i + s0)", "64"), Catch::Contains("reaches 127"));
  REQUIRE_THAT(changed("64*i + s0)", "64*j + s0)"), Catch::Contains("expected a size"));
}

TEST_CASE("errors in a kernel's text are located") {
  CHECK(error_of("kernel k(%x: f32[8])\n  a = load %y[0]\n") ==
        "line 2, column 13: there is no buffer `%y`");
  CHECK(error_of("kernel k(%x: f32[8])\n  a = frobnicate 1.0\n") ==
        "line 2, column 16: `frobnicate` is no function of scalars");
  CHECK(error_of("kernel k(%x: f32[8])\n parallel i in 0..8 {\n a = load %x[i*i]\n }\n") ==
        "line 3, column 15: an index is affine: one loop index or value in each product");
  CHECK(error_of("kernel k(%x: f32[8])\n parallel i in 0..8 {\n a = load %x[i]\n") ==
        "line 4, column 0: a loop is not closed; expected `}`");
}

TEST_CASE("the kernel verifier names what is wrong") {
  CHECK(error_of("kernel k(%x: f32[8])\n a = load %x[]\n") ==
        "kernel k, statement 0: `x` takes 1 indices");
  CHECK(error_of("kernel k(%x: i64[8])\n a = load %x[0]\n b = exp a\n") ==
        "kernel k, statement 1: `exp` does not take int64");
  CHECK(error_of("kernel k(%x: f32[8], %y: f32[8])\n parallel i in 0..8 {\n a = load %x[i]\n }\n"
                 " store %y[0] = a\n") ==
        "kernel k, statement 2: an operand is not made before it");
  CHECK(error_of("kernel k(%x: f32[8], %out: f32[8])\n parallel i in 0..9 {\n a = load %x[i]\n"
                 " store %out[i] = a\n }\n") ==
        "kernel k, statement 1: index 0 of `%x` reaches 8, its size is 8");
  CHECK(error_of("kernel k(%x: f32[s0], %out: f32[s0])\n parallel i in 0..s0 {\n"
                 " a = load %x[i - 1]\n store %out[i] = a\n }\n") ==
        "kernel k, statement 1: index 0 of `%x` reaches -1, its size is s0");
  CHECK(error_of("kernel k(%x: f32[8])\n acc = reduction sum : f32\n reduce i in 0..8 {\n"
                 " a = load %x[i]\n acc = maximum(acc, a)\n }\n") ==
        "line 5, column 15: `acc` is no reduction by `maximum`");
  CHECK(error_of("kernel k(%x: f32[8])\n acc = reduction sum : f32\n acc += 1.0\n") ==
        "kernel k, statement 1: `+=` stands inside a reduce or scan loop inside its reduction's "
        "block");
  CHECK(error_of("kernel k(%x: f32[8])\n acc = reduction sum : f32\n reduce i in 0..8 {\n"
                 " a = load %x[i]\n acc += a\n b = add a, acc\n }\n") ==
        "kernel k, statement 4: a reduction is read behind the loop that feeds it");
  CHECK(error_of("kernel k(%x: f32[8])\n a = load %x[0]\n store %x[0] = 1.0\n") ==
        "kernel k, statement 0: `%x` is loaded before it is stored to");
  CHECK(error_of("kernel k(%x: i64[8])\n store %x[0] = 1.0\n") ==
        "kernel k, statement 0: the literal 1.0 does not fit int64");
}

TEST_CASE("a schedule reads back from its text") {
  std::string text = std::string(kKernel) + "\n" + std::string(kSchedule);
  auto schedule = parse_schedule(text);
  REQUIRE(schedule.ok());
  CHECK_FALSE(verify_schedule(*schedule));
  CHECK(print(*schedule) == text);
  CHECK(same_schedule(*schedule, *parse_schedule(print(*schedule))));
  CHECK(schedule->workspace_bytes().text() == "64*((32*s0 + 63) // 64)");
}

TEST_CASE("the schedule verifier names what is wrong") {
  Schedule good = *parse_schedule(std::string(kKernel) + "\n" + std::string(kSchedule));
  Schedule bad = good;
  std::swap(bad.steps[0], bad.steps[1]);
  CHECK(verify_schedule(bad)->message == "schedule f: `%mm` is read but its slot does not hold it");
  bad = good;
  bad.slots[0].output = false;
  CHECK(verify_schedule(bad)->message ==
        "schedule f: `%sum` is returned, but lies in the workspace");
  bad = good;
  bad.slots[1].bytes = 4;
  CHECK(verify_schedule(bad)->message == "schedule f: `%mm` is larger than its slot");
}

TEST_CASE("a launch runs a kernel on several lists of tensors, of a flat one on shorter too") {
  std::string text =
      "kernel add_one(%x: f32[64], %out: f32[64])   from %a\n"
      "   0  parallel i in 0..64 {\n"
      "   1    a = load %x[i]\n"
      "   2    b = add a, 1.0\n"
      "   3    store %out[i] = b\n"
      "      }\n"
      "\n"
      "schedule f(%x: f32[64], %y: f32[4, 4], %z: f32[8, 8]) -> (f32[64], f32[4, 4], f32[8, 8]) {\n"
      "  slot 0   256 bytes, output\n"
      "  slot 1   64 bytes, output\n"
      "  slot 2   256 bytes, output\n"
      "  %a = tensor f32[64] in slot 0\n"
      "  %b = tensor f32[4, 4] in slot 1\n"
      "  %c = tensor f32[8, 8] in slot 2\n"
      "  launch add_one(%x, %a)   reads 256 bytes, writes 256\n"
      "     and (%y, %b) for 16   reads 64 bytes, writes 64\n"
      "     and (%z, %c)   reads 256 bytes, writes 256\n"
      "  return %a, %b, %c\n"
      "}\n";
  auto schedule = parse_schedule(text);
  INFO((schedule.ok() ? "" : schedule.error().message));
  REQUIRE(schedule.ok());
  CHECK_FALSE(verify_schedule(*schedule));
  CHECK(print(*schedule) == text);
  const auto& launch = std::get<Launch>(schedule->steps[0].kind);
  CHECK(schedule->list_count(launch) == 3);
  CHECK(launch.lengths == std::vector<SymInt>{64, 16, 64});

  auto complaint = [&](auto&& change) {
    Schedule bad = *schedule;
    change(bad, std::get<Launch>(bad.steps[0].kind));
    auto error = verify_schedule(bad);
    return error ? error->message : "";
  };
  CHECK(complaint([](Schedule&, Launch& bad) { bad.lengths[1] = 8; }) ==
        "schedule f: `%y` has 16 elements, `add_one` takes 8");
  CHECK(complaint([](Schedule&, Launch& bad) { bad.lengths.clear(); }) ==
        "schedule f: `%y` has 16 elements, `add_one` takes 64");
  CHECK(complaint([](Schedule&, Launch& bad) { bad.arguments.pop_back(); }) ==
        "schedule f: `add_one` takes 2 tensors");
  CHECK(complaint([](Schedule&, Launch& bad) { bad.arguments[4] = bad.arguments[1]; }) ==
        "schedule f: `%a` is written by one list of a launch and used by another");
  CHECK(complaint([](Schedule& in, Launch&) {
          // Each iteration reads the first element: not flat.
          auto* load = in.kernels[0].statements[1].get_if<Load>();
          load->indices[0] = IndexExpression(StatementId(0)) * 0;
        }) == "schedule f: `add_one` is not launched for a part of its loop");
  CHECK_FALSE(parse_schedule("schedule f() -> () {\n  and (%a)\n  return\n}\n").ok());
}

TEST_CASE("a schedule may write the new value of an input into it") {
  std::string text =
      "kernel add_one(%x: f32[4], %out: f32[4] over %x) from %a\n"
      "   0  parallel i in 0..4 {\n"
      "   1    a = load %x[i]\n"
      "   2    b = add a, 1.0\n"
      "   3    store %out[i] = b\n"
      "      }\n"
      "schedule f(%x: f32[4], %y: f32[4]) -> (f32[4], f32[4]) {\n"
      "  slot 0   16 bytes, output, in %x\n"
      "  slot 1   16 bytes, output\n"
      "  %a = tensor f32[4] in slot 0\n"
      "  %b = tensor f32[4] in slot 1\n"
      "  launch add_one(%x, %a)\n"
      "  launch add_one(%y, %b)\n"
      "  return %a, %b\n"
      "}\n";
  auto schedule = parse_schedule(text);
  INFO((schedule.ok() ? "" : schedule.error().message));
  REQUIRE(schedule.ok());
  CHECK_FALSE(verify_schedule(*schedule));
  CHECK(print(*schedule).find("slot 0   16 bytes, output, in %x\n") != std::string::npos);
  CHECK(same_schedule(*schedule, *parse_schedule(print(*schedule))));
  Schedule bad = *schedule;
  std::get<Launch>(bad.steps[1].kind).arguments[0] = TensorId(0);
  CHECK(verify_schedule(bad)->message ==
        "schedule f: `%x` is read behind the update of its memory");
  bad = *schedule;
  bad.outputs.push_back(TensorId(0));
  CHECK(verify_schedule(bad)->message ==
        "schedule f: `%x` is read behind the update of its memory");
  bad = *schedule;
  bad.slots[0].output = false;
  CHECK(verify_schedule(bad)->message ==
        "schedule f: a slot that is the memory of an input is an output's");
}
