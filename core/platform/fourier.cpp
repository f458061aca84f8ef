#include "core/platform/fourier.h"

#include <algorithm>
#include <memory>

#include "core/platform/fourier_plan.h"
#include "core/support/thread_pool.h"

namespace glint {
namespace {

/// Memory that begins where a vector of 64 bytes may, and holds nothing yet.
template <class T>
class VectorMemory {
 public:
  explicit VectorMemory(int64_t count) : numbers_(new T[size_t(count + kFourierLanes<T>)]) {}
  T* begin() const {
    constexpr uintptr_t kBytes = 64;
    const auto address = reinterpret_cast<uintptr_t>(numbers_.get());
    return numbers_.get() + (kBytes - address % kBytes) % kBytes / sizeof(T);
  }

 private:
  std::unique_ptr<T[]> numbers_;
};

/// Some rows brought together, element by element, and back. Two real rows are one complex row, of
/// which their transforms are the symmetric and the antisymmetric part.
template <class T>
class Block {
 public:
  Block(const FourierRows& problem, const FourierPlan<T>& plan)
      : problem_(problem),
        length_(problem.length),
        plan_(plan),
        loops_(fourier_loops<T>()),
        data_(2 * room(problem) + plan.work_size(lines_of(problem))) {}

  /// How many rows of the problem one block takes.
  static int64_t rows_in(FourierForm form) {
    return form == FourierForm::kComplex ? kFourierLanes<T> : 2 * kFourierLanes<T>;
  }

  void run(const T* in, T* out, int64_t rows) {
    const FourierSide<const T> from{in, fourier_input_width(problem_.form, length_), rows};
    const FourierSide<T> to{out, fourier_output_width(problem_.form, length_), rows};
    const T scale = T(problem_.scale);
    const Split<T> split{data_.begin(), data_.begin() + room(problem_)};
    T* work = split.imaginary + room(problem_);
    // The inverse transform is the forward one of the numbers with their parts exchanged.
    const Split<T> exchanged{split.imaginary, split.real};
    const int64_t count = problem_.form == FourierForm::kComplex ? rows : (rows + 1) / 2;
    switch (problem_.form) {
      case FourierForm::kComplex:
        loops_.read_pairs(from, split, length_);
        plan_.forward(problem_.inverse ? exchanged : split, count, work);
        loops_.write_pairs(split, to, length_, scale);
        break;
      case FourierForm::kRealToComplex:
        loops_.read_reals(from, split, length_, count);
        plan_.forward(split, count, work);
        loops_.write_halves(split, to, length_, count, scale);
        break;
      case FourierForm::kComplexToReal:
        loops_.read_halves(from, split, length_, count);
        plan_.forward(exchanged, count, work);
        loops_.write_reals(split, to, length_, count, scale);
        break;
    }
  }

 private:
  /// Rows of complex numbers in a block.
  static int64_t lines_of(const FourierRows& problem) {
    const bool two = problem.form != FourierForm::kComplex;
    return std::min(kFourierLanes<T>, two ? (problem.rows + 1) / 2 : problem.rows);
  }
  /// For each element of each of them, and for a vector beyond; whole vectors.
  static int64_t room(const FourierRows& problem) {
    const int64_t vectors = problem.length * lines_of(problem) / kFourierLanes<T> + 2;
    return vectors * kFourierLanes<T>;
  }

  FourierRows problem_;
  int64_t length_;
  const FourierPlan<T>& plan_;
  const FourierLoops<T>& loops_;
  VectorMemory<T> data_;
};

template <class T>
void transform(const FourierRows& problem, const T* in, T* out) {
  if (problem.rows == 0 || problem.length == 0) return;
  const int64_t in_width = fourier_input_width(problem.form, problem.length);
  const int64_t out_width = fourier_output_width(problem.form, problem.length);
  const int64_t together = Block<T>::rows_in(problem.form);
  const int64_t blocks = (problem.rows + together - 1) / together;
  const std::shared_ptr<const FourierPlan<T>> plan = fourier_plan<T>(problem.length);
  // A block is enough for a thread where its rows are long.
  constexpr int64_t kLeastNumbers = 16384;
  const int64_t least = std::max<int64_t>(1, kLeastNumbers / (together * problem.length));
  parallel_for(0, blocks, least, [&](int64_t begin, int64_t end) {
    Block<T> block(problem, *plan);
    for (int64_t at = begin * together; at < std::min(end * together, problem.rows); at += together)
      block.run(in + at * in_width, out + at * out_width, std::min(together, problem.rows - at));
  });
}

}  // namespace

int64_t fourier_input_width(FourierForm form, int64_t length) {
  if (form == FourierForm::kRealToComplex) return length;
  return form == FourierForm::kComplex ? 2 * length : 2 * (length / 2 + 1);
}
int64_t fourier_output_width(FourierForm form, int64_t length) {
  if (form == FourierForm::kComplexToReal) return length;
  return form == FourierForm::kComplex ? 2 * length : 2 * (length / 2 + 1);
}

void fourier_transform(const FourierRows& problem, const float* in, float* out) {
  transform(problem, in, out);
}
void fourier_transform(const FourierRows& problem, const double* in, double* out) {
  transform(problem, in, out);
}

}  // namespace glint
