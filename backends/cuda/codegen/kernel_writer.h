// A kernel whose axes are bound (bind_axes.h), as an entry of CUDA C++.
//
//     KernelWriter(bind_axes(kernel), "relu", definitions, {}).write()
//
//     __global__ void __launch_bounds__(256)
//     relu(const float* __restrict__ x, float* __restrict__ out, int64 s0) {
//       for (int64 i = (int64)blockIdx.x * 256 + threadIdx.x; i < s0; i += ...) {
//         const float a = x[i];
//         ...
//
// A team (a thread, some lanes of a warp or all of it, a block, a lane's threads in all warps, all
// blocks) runs an iteration of the outer loops. Its members share the inner loops; all else each of
// them does for itself, but for stores, which the first does. A barrier stands between inner loops
// where one reads what another member has written, or the other way round. What the same member
// reads again it keeps: elements of rows whose length is known are read once and stay in registers,
// and so does scratch; of rows that are longer, or of unknown length, a block keeps as much in
// shared memory as fits, and reads or makes the rest again. Where rows lie so in memory, a member
// takes neighbours, 16 bytes an access; of loops of few statements it reads several iterations
// before it computes the first.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/codegen/definitions.h"
#include "backends/cuda/codegen/launch_shape.h"
#include "backends/cuda/codegen/loop_nest.h"
#include "backends/cuda/codegen/name_table.h"
#include "backends/cuda/codegen/relative_place.h"
#include "ir/kernel.h"

namespace glint::cuda {

/// Blocks that keep a GPU busy: where each leaves something or has memory of its own there are no
/// more, and each does several parts.
inline constexpr int64_t kMostBlocks = 1024;

/// Whether GLINT_CUDA_BOUNDS asks for `checks_bounds`.
bool asks_for_bounds();

struct WriteOptions {
  /// Each access checks its indices, and fails as a `check` of Kernel IR does.
  bool checks_bounds = asks_for_bounds();
  LaunchShape shape = {};
  /// What is as large is more than caches hold: those of the second level are 40 to 60 MiB of an
  /// A100, an H100 and an H200.
  int64_t cache_bytes = int64_t{64} << 20;
};

struct TextLine {
  std::string text;
  uint32_t statement = SourceLine::kNone;
};

struct WrittenKernel {
  std::string entry;
  std::vector<TextLine> lines;
  std::vector<KernelParameter> parameters;
  SymInt grid = 1;
  uint32_t threads = 1;
  uint32_t rows = 0;      ///< that a block takes at a time; 0: no row is shared
  uint32_t elements = 1;  ///< that a thread takes at a time
  CheckMessages checks = {};
  Traffic moved = {0, 0};  ///< by a launch that is not cut short
};

class KernelWriter {
 public:
  KernelWriter(const Kernel& bound, std::string entry, Definitions& definitions,
               WriteOptions options);
  WrittenKernel write();

 private:
  enum class Team : uint8_t { kThread, kWarp, kBlock, kColumn, kGrid };
  /// How a team's members call themselves.
  struct TeamWords {
    std::string member;        ///< the number of a member
    int64_t count;             ///< how many there are
    std::string first;         ///< whether this is the first of them
    std::string_view total;    ///< combines what they have
    std::string_view barrier;  ///< waits for all of them
  };

  // kernel_writer.cpp: the entry and its outer loops
  void write_body();
  std::string sharing_text(const Nest& nest, Binding binding) const;
  void write_outer(const Nest& nest);
  void write_points(const Nest& nest);
  bool is_block_of_its_own(const Nest& nest) const;
  bool open_points(const Nest& nest);
  std::vector<TextLine> with_entry();
  std::vector<std::string> parameter_texts();
  uint32_t grid_threads(const Nest& nest) const;
  uint32_t threads_for(const std::vector<Nest>& nests) const;
  int64_t row_threads(const std::vector<Nest>& inner) const;
  Team team_of(const Nest& nest) const;
  TeamWords words() const;
  int64_t most_row_blocks() const;
  void note_grid(SymInt points, int64_t points_a_block);
  void note_grid(SymInt points, int64_t points_a_block, int64_t most);
  std::string point_name(const Nest& nest);
  void begin_stride(const std::string& type, const std::string& point, const std::string& start,
                    const std::string& count, const std::string& step);
  std::string index_type_of_rows(const Nest& outer) const;
  void name_loops(const Nest& nest, const std::string& point);
  std::string iterations_of(const Nest& nest);
  std::string short_count(const std::string& count);
  std::string count_text(const Nest& nest);
  std::string of_blocks(std::string_view builtin, int64_t factor) const;
  bool fits_narrow() const;

  // keep_rows.cpp: what a team keeps
  struct Kept {
    std::string array;
    bool fills = false;   ///< the load that others read again
    bool shared = false;  ///< in shared memory, and as far as it goes
    /// Of scratch: the statements that make again what shared memory does not hold, and their nest.
    std::vector<size_t> remade = {};
    Nest made_in = {};
  };
  void plan_kept();
  void keep_scratch();
  void keep_loads();
  int64_t parts_of(const Nest& nest) const;
  struct KeptArray {
    std::string name;
    DType dtype;
    int64_t length = 0;          ///< of a member, in registers; 0: in shared memory
    size_t first_statement = 0;  ///< that fills it
    size_t last_statement = 0;   ///< that reads it
    SymInt reach = 0;            ///< elements of the row, with those before it in its first vector
    std::string with = {};       ///< the array whose memory it has, which is read no more
  };
  void keep(int64_t most_parts);
  bool fits_registers(const KeptArray& array) const;
  void keep_what_fits();
  bool would_keep_in_registers(const std::vector<Nest>& nests);
  bool keeps_all_in_registers(const std::vector<Nest>& nests);
  int64_t kept_registers(size_t statement) const;
  std::optional<bool> add_array(KeptArray array, const Nest& nest);
  int64_t share_places();
  int64_t shared_room() const;
  void plan_kept_elements();
  void declare_kept();
  void note_registers();

  // remake_rows.cpp: what is made again instead
  std::vector<size_t> made_of(const Nest& nest, size_t store) const;
  void name_as(const Nest& made, const Nest& nest);
  std::vector<size_t> row_loads(const Nest& nest);
  void write_remade(size_t i, const Kept& kept);

  // write_team.cpp: what a team shares and waits for
  void write_range(size_t first, size_t last);
  void write_team_body(size_t first, size_t last);
  void write_shared(const Nest& nest);
  void write_totals(const Nest& nest);
  void write_grid_totals(const Nest& nest, const std::vector<StatementId>& fed);
  static constexpr int64_t kSlotBytes = 24;  ///< of a block's total, the largest reduction's
  std::string declare_block_totals(StatementId reduction, const std::string& offset);
  struct TeamAccess {
    Access access;
    const Nest* nest;  ///< null: outside the inner loops
  };
  void add_accesses(std::vector<TeamAccess>& list, size_t first, size_t last,
                    const Nest* nest) const;
  bool collide(const TeamAccess& a, const TeamAccess& b) const;
  void wait_before(std::vector<TeamAccess> next);

  // read_ahead.cpp: several iterations of a short loop at once
  /// How a member goes over its iterations.
  struct Stride {
    std::string name = "";  ///< of an iteration's first element
    std::string start;      ///< the first iteration's
    std::string count;
    std::string members = "";  ///< what a step is a multiple of; empty: 1
    int64_t step = 1;
    bool is_plain = false;    ///< nothing is asked of an iteration but that it is there
    bool by_vectors = false;  ///< it moves vectors

    std::string steps(int64_t times) const;
  };
  /// One that is being written: its first element, and whether it stands in a condition.
  struct Iteration {
    std::string point;
    bool opened_two = false;
  };
  using Body = std::function<void(const std::string& point)>;
  std::vector<size_t> loads_ahead(const Nest& nest, bool by_vectors) const;
  int64_t most_ahead(const Nest& nest, bool by_vectors) const;
  void read_ahead(const Nest& nest, int64_t iterations, const std::string& count, bool by_vectors,
                  const std::function<Iteration()>& open_iteration);
  void write_at_once(const Nest& nest, const Stride& stride, const std::string& from,
                     int64_t iterations, bool test, const Body& body);
  std::string write_several_at_once(const Nest& nest, const Stride& stride, int64_t at_once,
                                    const Body& body);
  void write_stride(const Nest& nest, const Stride& stride, const Body& body);
  void close_iteration(const Nest& nest, const Iteration& iteration);

  // plan_rows.cpp: how rows are cut into vectors
  struct RowVectors {
    int64_t lanes = 1;
    std::string aligned;   ///< whether 16 bytes may be moved at once
    std::string start;     ///< the first element of a member
    std::string next;      ///< from one element of a member to the next; empty: 1
    size_t next_line = 0;  ///< that says what it is
    bool uses_next = false;
    bool ragged = false;        ///< rows of known length begin or end within a vector
    bool all_whole = false;     ///< `aligned` was looked at, and holds
    bool two_bodies = false;    ///< where it holds, and where it does not
    IndexExpression lead = {};  ///< modulo `lanes`: how far within
  };
  void plan_row_vectors(size_t first, size_t last);
  int64_t vector_lanes_of(const std::vector<Nest>& nests) const;
  bool fits_row_vectors(const Nest& nest, int64_t lanes, bool ragged) const;
  std::optional<IndexExpression> ragged_lead(const std::vector<Nest>& nests, int64_t lanes) const;
  bool is_row_vector(const Access& access, const Nest& nest) const;
  bool has_whole_vectors(const Nest& nest) const;
  std::vector<std::string> row_alignment_tests(const std::vector<Nest>& nests);
  void write_row_alignment(const std::vector<std::string>& tests);
  std::string row_member() const;
  std::string row_members() const;
  void write_row_start(const std::string& of_vectors);
  void write_row_lead();
  void drop_unused_next();

  // write_short_rows.cpp
  struct ThreadVector {
    BufferId buffer;
    RelativePlace place;
    std::string name;
  };
  bool is_thread_row(const Nest& nest) const;
  void plan_thread_rows(size_t first, size_t last);
  std::string thread_vector(const Access& access, const Nest& nest);
  std::string row_place(const Access& access, const Nest& nest);
  void write_thread_row(const Nest& nest);
  /// The lanes of a warp that share a row.
  struct RowLanes {
    int64_t count = 32;
    std::string member = "lane";
    std::string group = "warp";  ///< which of the block's
  };
  void plan_row_lanes(const Nest& outer);
  void write_row_lanes();
  void open_row_lanes(const Nest& nest);

  // write_rows.cpp: the loops over a row
  bool names_index(const Nest& nest) const;
  bool begin_parts(int64_t parts, const std::string& type, const std::string& point,
                   const std::string& value, const std::string& test);
  bool begin_vector_parts(int64_t parts, const Nest& nest, const std::string& point,
                          const std::string& count);
  void write_row(const Nest& nest, const std::string& count);
  Stride member_stride(const std::string& start, const std::string& count, int64_t lanes) const;
  Stride element_stride(const Nest& nest, const std::string& count) const;
  bool uses_kept_shared(const Nest& nest) const;
  bool has_both_loops(const Nest& nest) const;
  void write_both_loops(const Nest& nest, const std::string& count);
  void write_both_bodies(const Nest& nest);
  void write_row_vectors(const Nest& nest, const std::string& count);
  std::string vector_type(const Access& access);
  std::string vector_load(const Access& access, const std::string& rest);
  void write_row_elements(const Nest& nest, const std::string& first, const std::string& count);
  std::string vector_rest(const Nest& nest, const std::string& first, const std::string& count);
  void write_row_loads(const Nest& nest, const std::string& rest);
  void write_row_stores(const Nest& nest, const std::string& rest);
  void name_kept(const Nest& nest, const std::string& point);

  // read_once.cpp: how memory is read that is more than caches hold
  enum class Reading : uint8_t { kUsual, kStreamed, kKept };
  bool waits_for_memory() const;
  Reading reading_of(BufferId buffer) const;
  bool is_worth_two_bodies(const std::vector<Nest>& nests);
  std::string_view load_function(BufferId buffer);
  std::string element_load(BufferId buffer, const std::vector<IndexExpression>& indices);

  // write_scan.cpp
  void write_scan(const Nest& nest, const std::string& count);
  void open_scan_elements(const Nest& nest, const std::string& point, const std::string& count);

  // slice_rows.cpp
  /// Where several blocks take parts of a row; the names in the text, empty if they do not.
  struct RowSlices {
    std::string slices = "";   ///< of each row
    std::string slice = "";    ///< that the block takes
    std::string rows = "";     ///< how many there are
    std::string member = "";   ///< the number of a thread among all that share a row
    std::string members = "";  ///< how many these are
    std::string point = "";    ///< which row
    SymInt sliced = 0;         ///< 1 in launches that have more than one slice of a row
  };
  bool is_one_reduction(const Nest& outer) const;
  bool has_long_rows(const Nest& outer) const;
  std::string slices_text(const std::string& parts) const;
  void plan_row_slices(const Nest& outer);
  void write_row_slice_totals(const std::vector<StatementId>& fed);

  // write_columns.cpp
  struct Columns {
    bool is_wide = false;  ///< 64 lanes, of more than caches hold
    SymInt side = 32;      ///< how many a block takes
    std::string side_text = "32";
    int64_t lanes = 32;   ///< for them; known if `members` is
    int64_t members = 8;  ///< that share a column; 0: only the launch knows
    std::string lane = "lane";
    std::string member = "warp";
    std::string width = "32";  ///< `lanes`, in the text
    std::string step = "";     ///< `members`, in the text
    std::string slice = "";    ///< which part of the columns the block has; empty: all
    std::string slices = "";
    std::string count = "";  ///< of all columns
    std::string first = "";  ///< the block's first one
    std::string point = "";  ///< the thread's own
  };
  void plan_columns(const Nest& nest);
  void open_columns(const Nest& nest);
  bool has_wide_columns(const Nest& outer) const;
  bool is_sliceable(const Nest& outer) const;
  void write_slice_totals(const std::vector<StatementId>& fed);

  // write_vectors.cpp
  void write_vectors(const Nest& nest);
  void write_vectors_of_one_loop(const Nest& nest, int64_t lanes);
  void write_vectors_of_loops(const Nest& nest, int64_t lanes);
  void write_vector_elements(const Nest& nest, int64_t lanes, const std::string& rest);
  void write_vector_loads(const Nest& nest, int64_t lanes, const std::string& rest);
  std::vector<std::string> vector_alignment_tests(const Nest& nest, int64_t lanes);
  std::string vector_place(const Access& access);
  bool is_vector(const Access& access, const Nest& nest) const;

  // write_tiles.cpp
  void write_tiles(const Nest& nest, size_t turned);
  void write_tile_start(const Nest& nest, size_t turned);
  std::string free_tile(size_t load);
  void place_tiles(const Nest& nest, size_t turned);
  void write_tile_loads(const Nest& nest, size_t turned);
  void open_tile_rows(size_t rows, size_t lanes);

  // write_statement.cpp
  void write_statement(size_t i);
  void write_cast(size_t i, const Compute& cast);
  void write_load(size_t i, const Load& load);
  std::string element_text(size_t i, const Load& load);
  const Kept* kept_at(size_t i, BufferId buffer) const;
  std::string kept_text(const Kept& kept) const;
  void write_store(const Store& store);
  void write_accumulate(const Accumulate& accumulate);
  void write_check(size_t i, const std::string& condition, const std::string& message);
  void write_bounds(size_t i, const Access& access, const std::optional<Operand>& mask);
  void define(size_t i, const std::string& value);
  std::string operand(const Operand& operand, DType dtype);
  std::string place(BufferId buffer, const std::vector<IndexExpression>& indices);
  std::string index_text(const IndexExpression& expression, bool wide);
  std::string size(SymInt value);
  std::string factor(SymInt value);
  std::string from_memory(DType dtype, std::string text);
  std::string to_memory(DType dtype, std::string text);
  const std::string& status();

  // write_scratch.cpp
  struct ScratchTeams {
    int64_t count;
    std::string member;
    bool side_by_side;  ///< neighbouring lanes: so are their elements
  };
  void write_scratch(const Scratch& scratch);
  void write_global_scratch(const KernelBuffer& buffer, const std::string& name,
                            const ScratchTeams& teams, bool is_rest);
  ScratchTeams scratch_teams() const;
  std::optional<int64_t> shared_scratch_bytes(const KernelBuffer& buffer, int64_t teams) const;

  // lines
  void line(std::string text) {
    lines_.push_back({std::string(2 * depth_, ' ') + std::move(text), statement_});
  }
  /// A block, whose names end with it.
  void open(std::string text) {
    names_.open();
    begin(std::move(text));
  }
  /// A block whose names were opened before its first line.
  void begin(std::string text);
  void close();
  /// From what is done where a condition holds to what is done else.
  void open_else();

  const Kernel& kernel_;
  std::string entry_;
  Definitions& definitions_;
  WriteOptions options_;
  std::vector<bool> written_;

  NameTable names_;
  std::vector<std::string> buffer_names_;
  std::vector<std::string> value_names_;  ///< by statement; loops: their index
  std::vector<KernelParameter> sizes_;
  std::map<uint64_t, std::string> size_names_;
  std::optional<KernelParameter> length_;
  CheckMessages checks_;
  SymInt workspace_bytes_ = 0;
  bool counts_blocks_ = false;            ///< the last of several goes on
  std::vector<KernelParameter> scratch_;  ///< `size`: the bytes that a block needs
  bool is_narrow_ = false;                ///< no index needs more than 32 bits
  std::string index_type_;
  bool has_several_nests_ = false;       ///< which the same blocks go over, one after the other
  std::optional<int64_t> least_blocks_;  ///< that a multiprocessor has room for; none: as may be
  std::string row_index_type_;           ///< of the loops that members of a team share
  std::map<std::string, std::string> short_counts_;  ///< of the body at hand, by their text
  bool uses_thread_ = false;
  bool uses_lane_ = false;
  bool uses_warp_ = false;

  std::vector<TextLine> lines_;
  size_t depth_ = 1;
  uint32_t statement_ = SourceLine::kNone;
  uint32_t threads_ = 1;
  uint32_t rows_ = 0;
  uint32_t elements_ = 1;
  SymInt grid_ = 1;
  Team team_ = Team::kThread;
  bool is_shared_ = false;  ///< inside an inner loop that members share
  std::string mine_;        ///< whether the team's work is its own; empty: always

  std::map<BufferId, int64_t> scratch_steps_;  ///< from an element of scratch to the next; else 1
  std::map<size_t, Kept> kept_loads_;          ///< by statement
  std::map<BufferId, Kept> kept_scratch_;      ///< scratch that members keep
  std::vector<KeptArray> kept_arrays_;
  std::vector<KernelParameter> kept_;  ///< one a body: how much of its rows shared memory keeps
  std::string kept_rows_;              ///< that memory
  std::string kept_elements_;          ///< of a row, in the body at hand
  int64_t most_parts_ = 0;             ///< of a member that are written out
  bool lacks_room_ = false;            ///< registers do not hold all that is kept of rows
  int64_t shared_bytes_ = 0;           ///< of shared memory, in all bodies so far
  std::string kept_at_;                ///< where the element at hand is kept
  std::string is_kept_;                ///< whether it is, of arrays in shared memory
  bool is_remaking_ = false;           ///< what is written now is kept nowhere
  RowVectors row_;
  RowLanes row_lanes_;
  RowSlices row_slices_;
  std::vector<ThreadVector> thread_vectors_;  ///< that the row at hand has read
  Columns columns_;
  std::map<size_t, int64_t> parts_;  ///< by a nest's first loop: iterations of a member
  std::vector<TeamAccess> since_barrier_;
  std::vector<Nest> nests_;  ///< of the body at hand
  struct SharedTile {
    std::string name;
    DType dtype;
  };
  std::vector<SharedTile> shared_tiles_;   ///< one nest after the other has them
  std::map<size_t, std::string> tiles_;    ///< by load: the tile that holds its elements
  std::map<size_t, std::string> ahead_;    ///< by load: the element that was read ahead
  std::map<size_t, std::string> vectors_;  ///< by load or store: what holds its elements
  std::string vector_at_ = "part";         ///< which of them is at hand
};

}  // namespace glint::cuda
