#include "core/platform/fourier.h"

#include <algorithm>
#include <vector>

#include "core/platform/fourier_plan.h"
#include "core/support/thread_pool.h"

namespace glint {
namespace {

/// Rows that are transformed at once: as many as fill vectors.
constexpr int64_t kTogether = 16;

/// Some rows brought together, element by element, and back. Two real rows are one complex row, of
/// which their transforms are the symmetric and the antisymmetric part.
template <class T>
class Block {
 public:
  Block(const FourierRows& problem, const FourierPlan<T>& plan)
      : problem_(problem),
        length_(problem.length),
        scale_(T(problem.scale)),
        plan_(plan),
        data_(size_t(2 * length_ * kTogether)),
        work_(size_t(plan.work_size(kTogether))) {}

  /// How many rows of the problem one block takes.
  static int64_t rows_in(FourierForm form) {
    return form == FourierForm::kComplex ? kTogether : 2 * kTogether;
  }

  void run(const T* in, T* out, int64_t rows) {
    const bool complex = problem_.form == FourierForm::kComplex;
    const int64_t count = complex ? rows : (rows + 1) / 2;
    Split<T> split{data_.data(), data_.data() + length_ * count};
    if (problem_.form == FourierForm::kComplex) {
      read_pairs(in, split, count);
      plan_.forward(problem_.inverse ? exchanged(split) : split, count, work_.data());
      write_pairs(split, out, count);
    } else if (problem_.form == FourierForm::kRealToComplex) {
      read_reals(in, split, rows, count);
      plan_.forward(split, count, work_.data());
      write_halves(split, out, rows, count);
    } else {
      read_halves(in, split, rows, count);
      plan_.forward(exchanged(split), count, work_.data());
      write_reals(split, out, rows, count);
    }
  }

 private:
  /// The inverse transform is the forward one of the numbers with their parts exchanged.
  static Split<T> exchanged(Split<T> split) { return {split.imaginary, split.real}; }

  void read_pairs(const T* in, Split<T> to, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < length_; ++j) {
        to.real[j * count + i] = in[2 * (i * length_ + j)];
        to.imaginary[j * count + i] = in[2 * (i * length_ + j) + 1];
      }
  }
  void write_pairs(Split<T> from, T* out, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < length_; ++j) {
        out[2 * (i * length_ + j)] = from.real[j * count + i] * scale_;
        out[2 * (i * length_ + j) + 1] = from.imaginary[j * count + i] * scale_;
      }
  }

  /// Row i with row i + count beside it, or zeros.
  void read_reals(const T* in, Split<T> to, int64_t rows, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const T* second = i + count < rows ? in + (i + count) * length_ : nullptr;
      for (int64_t j = 0; j < length_; ++j) {
        to.real[j * count + i] = in[i * length_ + j];
        to.imaginary[j * count + i] = second ? second[j] : T(0);
      }
    }
  }
  void write_reals(Split<T> from, T* out, int64_t rows, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < length_; ++j) {
        out[i * length_ + j] = from.real[j * count + i] * scale_;
        if (i + count < rows)
          out[(i + count) * length_ + j] = from.imaginary[j * count + i] * scale_;
      }
  }

  void write_halves(Split<T> from, T* out, int64_t rows, int64_t count) {
    const int64_t width = length_ / 2 + 1;
    const T half = scale_ / 2;
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < width; ++j) {
        const int64_t at = j * count + i, mirror = (length_ - j) % length_ * count + i;
        const T a = from.real[at], b = from.imaginary[at];
        const T c = from.real[mirror], d = from.imaginary[mirror];
        T* first = out + 2 * (i * width + j);
        first[0] = (a + c) * half;
        first[1] = (b - d) * half;
        if (i + count >= rows) continue;
        T* second = out + 2 * ((i + count) * width + j);
        second[0] = (b + d) * half;
        second[1] = (c - a) * half;
      }
  }
  void read_halves(const T* in, Split<T> to, int64_t rows, int64_t count) {
    const int64_t width = length_ / 2 + 1;
    for (int64_t i = 0; i < count; ++i) {
      const T* first = in + 2 * i * width;
      const T* second = i + count < rows ? in + 2 * (i + count) * width : nullptr;
      for (int64_t j = 0; j < width; ++j) {
        // Those that are their own mirror images are real.
        const int64_t mirror = (length_ - j) % length_;
        const bool own = mirror == j;
        const T a = first[2 * j], b = own ? T(0) : first[2 * j + 1];
        const T c = second ? second[2 * j] : T(0), d = second && !own ? second[2 * j + 1] : T(0);
        to.real[j * count + i] = a - d;
        to.imaginary[j * count + i] = b + c;
        to.real[mirror * count + i] = a + d;
        to.imaginary[mirror * count + i] = c - b;
      }
    }
  }

  FourierRows problem_;
  int64_t length_;
  T scale_;
  const FourierPlan<T>& plan_;
  std::vector<T> data_, work_;
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
