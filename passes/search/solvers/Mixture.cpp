#include "passes/search/solvers/Mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sbp::search {
namespace {

constexpr double kTolerance = 1e-10;

/// Steps per row and column after which only rounding can go on: some problems
/// take twice as many as they have columns.
constexpr size_t kMaxSteps = 20;

/// The simplex method on a tableau. One row per resource,
///
///   sum of share x uses + slack - excess = 1
///
/// and one that says that the shares add up to 1. There are as many rows as
/// resources, few, and each step goes through the tableau once.
class Simplex {
 public:
  explicit Simplex(const std::vector<Ingredient>& ingredients)
      : ingredients_(ingredients),
        numResources_(ingredients.front().uses.size()),
        numRows_(numResources_ + 1),
        slack_(ingredients.size()),
        excess_(slack_ + numResources_),
        numColumns_(excess_ + 1),
        rows_(numRows_, std::vector<double>(numColumns_ + 1, 0)) {
    for (size_t i = 0; i < numResources_; ++i) {
      for (size_t j = 0; j < ingredients.size(); ++j) {
        rows_[i][j] = ingredients[j].uses[i];
        improvement_ = std::max(improvement_, kTolerance * rows_[i][j]);
      }
      rows_[i][slack_ + i] = 1;
      rows_[i][excess_] = -1;
      rows_[i][numColumns_] = 1;
    }
    for (size_t j = 0; j < ingredients.size(); ++j) rows_[numResources_][j] = 1;
    rows_[numResources_][numColumns_] = 1;
    begin();
  }

  Mixture run() {
    // First the least excess; if there is none, the least cost without any.
    std::vector<double> costs(numColumns_, 0);
    costs[excess_] = 1;
    minimise(costs, numColumns_);
    Mixture mixture;
    mixture.excess = valueOf(costs);
    if (mixture.excess <= kTolerance) {
      mixture.excess = 0;
      double scale = 0;
      for (const Ingredient& ingredient : ingredients_)
        scale = std::max(scale, std::abs(ingredient.cost));
      if (scale == 0) scale = 1;
      for (size_t j = 0; j < ingredients_.size(); ++j)
        costs[j] = ingredients_[j].cost / scale;
      // It may still be among the basis, at zero, and shall not grow.
      costs[excess_] = 1e6;
      minimise(costs, excess_);
      mixture.cost = valueOf(costs) * scale;
      for (double& cost : costs) cost *= scale;
    }
    // A slack's reduced cost is what a unit of its resource is worth.
    for (size_t i = 0; i < numResources_; ++i)
      mixture.prices.push_back(std::max(0.0, reduced(costs, slack_ + i)));
    return mixture;
  }

 private:
  /// Makes the first ingredient, the slacks and, if it exceeds a limit, the
  /// excess the basis.
  void begin() {
    for (size_t i = 0; i < numResources_; ++i) basis_.push_back(slack_ + i);
    basis_.push_back(0);
    pivot(numResources_, 0);
    size_t worst = 0;
    for (size_t i = 1; i < numResources_; ++i)
      if (right(i) < right(worst)) worst = i;
    if (numResources_ > 0 && right(worst) < 0) pivot(worst, excess_);
  }

  double right(size_t row) const { return rows_[row][numColumns_]; }

  double valueOf(const std::vector<double>& costs) const {
    double value = 0;
    for (size_t row = 0; row < numRows_; ++row)
      value += costs[basis_[row]] * right(row);
    return value;
  }

  double reduced(const std::vector<double>& costs, size_t column) const {
    double cost = costs[column];
    for (size_t row = 0; row < numRows_; ++row)
      cost -= costs[basis_[row]] * rows_[row][column];
    return cost;
  }

  /// Steps while one of the first `numAllowed` columns improves. The lowest
  /// such column enters and of equal rows that of the lowest column leaves
  /// (Bland), so no basis comes twice, but for rounding.
  void minimise(const std::vector<double>& costs, size_t numAllowed) {
    const size_t maxSteps = kMaxSteps * (numRows_ + numColumns_);
    for (size_t step = 0; step < maxSteps; ++step) {
      size_t entering = 0;
      while (entering < numAllowed && reduced(costs, entering) > -improvement_)
        ++entering;
      if (entering == numAllowed) return;
      size_t leaving = numRows_;
      double least = std::numeric_limits<double>::infinity();
      for (size_t row = 0; row < numRows_; ++row) {
        if (rows_[row][entering] <= kTolerance) continue;
        double ratio = std::max(0.0, right(row)) / rows_[row][entering];
        if (ratio > least + kTolerance) continue;
        if (ratio > least - kTolerance && leaving < numRows_ &&
            basis_[row] > basis_[leaving])
          continue;
        least = std::min(least, ratio);
        leaving = row;
      }
      if (leaving == numRows_) return;  // shares are bounded: rounding only
      pivot(leaving, entering);
    }
  }

  void pivot(size_t row, size_t column) {
    double divisor = rows_[row][column];
    for (double& entry : rows_[row]) entry /= divisor;
    for (size_t other = 0; other < numRows_; ++other) {
      double factor = rows_[other][column];
      if (other == row || factor == 0) continue;
      for (size_t j = 0; j <= numColumns_; ++j)
        rows_[other][j] -= factor * rows_[row][j];
    }
    basis_[row] = column;
  }

  const std::vector<Ingredient>& ingredients_;
  size_t numResources_, numRows_;
  size_t slack_, excess_;  // columns; that of an ingredient is its number
  size_t numColumns_;
  /// By which a step lowers the cost at least, per share: what is less is
  /// rounding of the largest use.
  double improvement_ = kTolerance;
  std::vector<std::vector<double>> rows_;  // the last entry is the right side
  std::vector<size_t> basis_;              // per row
};

}  // namespace

Mixture mix(const std::vector<Ingredient>& ingredients) {
  return Simplex(ingredients).run();
}

}  // namespace sbp::search
