#include "passes/search/solvers/Mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sbp::search {
namespace {

constexpr double kTolerance = 1e-10;

/// Limit of steps per row and column; only rounding errors lead to more steps.
/// Some problems take twice as many steps as they have columns.
constexpr size_t kMaxSteps = 20;

/// The simplex method on a tableau. It has one row per resource,
///
///   sum of share x uses + slack - excess = 1
///
/// and a row that says that the shares add up to 1. There are few resources, so
/// few rows; each step updates the whole tableau.
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
    // First minimise the excess; if it is zero, minimise the cost.
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
      // The excess may still be in the basis, at zero, and must not grow.
      costs[excess_] = 1e6;
      minimise(costs, excess_);
      mixture.cost = valueOf(costs) * scale;
      for (double& cost : costs) cost *= scale;
    }
    // The reduced cost of a slack is the value of a unit of its resource.
    for (size_t i = 0; i < numResources_; ++i)
      mixture.prices.push_back(std::max(0.0, reduced(costs, slack_ + i)));
    return mixture;
  }

 private:
  /// Constructs the first basis: the first ingredient, the slacks and, if the
  /// ingredient exceeds a limit, the excess.
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

  /// Pivots while one of the first `numAllowed` columns improves. Bland's rule:
  /// the lowest such column enters; of rows with equal ratios, the one of the
  /// lowest column leaves. So, apart from rounding, no basis comes twice.
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
  // First columns. Ingredients have the columns 0 to slack_ - 1.
  size_t slack_, excess_;
  size_t numColumns_;
  /// Least improvement of the cost per share that counts as one; a smaller one
  /// may be a rounding error of the largest use.
  double improvement_ = kTolerance;
  std::vector<std::vector<double>> rows_;  // the last entry is the right side
  std::vector<size_t> basis_;              // per row
};

}  // namespace

Mixture mix(const std::vector<Ingredient>& ingredients) {
  return Simplex(ingredients).run();
}

}  // namespace sbp::search
