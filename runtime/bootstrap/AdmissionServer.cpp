#include "runtime/bootstrap/AdmissionServer.h"

#include <utility>

#include "fmt/format.h"

namespace sbp::bootstrap {

std::string CheckedVisitor::describeDifference() const {
  std::string text = fmt::format("{} was started with {}", member.describe(),
                                 difference->mine);
  if (!difference->theirs.empty()) {
    text += fmt::format(", but rank 0 with {}", difference->theirs);
  }
  return text;
}

AdmissionServer::AdmissionServer(Socket listener, Identity identity, Member hub)
    : listener(std::move(listener)),
      identity(std::move(identity)),
      hub(std::move(hub)) {}

void AdmissionServer::addTo(std::vector<pollfd>& entries) const {
  const short newcomers = hasPlace() ? POLLIN : 0;
  entries.push_back({listener.fd(), newcomers, 0});
  for (const Visitor& visitor : visitors) {
    short events = POLLIN;
    if (visitor.channel.hasUnsent()) events |= POLLOUT;
    entries.push_back({visitor.channel.fd(), events, 0});
  }
}

// Lets the caller poll several times in kAnswerTime, so that a visitor that is
// too slow is dropped in time. If there is no place for further visitors, lets
// the caller poll several times in kLeastTime.
int AdmissionServer::pollMilliseconds() const {
  if (visitors.empty()) return -1;
  return hasPlace() ? 500 : 50;
}

bool AdmissionServer::hasPlace() const {
  return visitors.size() < kMaxVisitors ||
         Clock::now() - visitors.front().since > kLeastTime;
}

std::vector<CheckedVisitor> AdmissionServer::serve() {
  accept();
  std::vector<CheckedVisitor> checked;
  std::vector<Visitor> staying;
  for (Visitor& visitor : visitors) {
    std::optional<Difference> difference;
    switch (handleMessages(visitor, difference)) {
      case Outcome::kStays:
        staying.push_back(std::move(visitor));
        break;
      case Outcome::kLeaves:
        break;
      case Outcome::kIsChecked:
        checked.push_back({std::move(visitor.hello.member),
                           std::move(visitor.channel),
                           std::move(visitor.address), visitor.isProven,
                           std::move(difference)});
        break;
    }
  }
  visitors = std::move(staying);
  return checked;
}

// Accepts at most kMaxVisitors connections, so that the messages of these
// visitors are read before further connections are accepted.
void AdmissionServer::accept() {
  for (size_t i = 0; i < kMaxVisitors && hasPlace(); ++i) {
    Socket socket = acceptFrom(listener);
    if (!socket.isOpen()) return;
    if (visitors.size() == kMaxVisitors) visitors.erase(visitors.begin());
    Visitor visitor;
    visitor.address = peerOf(socket);
    visitor.channel = Channel(std::move(socket), kMaxVisitorBytes);
    visitor.since = Clock::now();
    visitors.push_back(std::move(visitor));
  }
}

AdmissionServer::Outcome AdmissionServer::handleMessages(
    Visitor& visitor, std::optional<Difference>& difference) {
  visitor.channel.flush();
  for (const Message& message : visitor.channel.receive()) {
    Outcome outcome = Outcome::kLeaves;
    if (message.kind == MessageKind::kHello) {
      outcome = handleHello(visitor, message.text);
    } else if (message.kind == MessageKind::kProof) {
      outcome = handleProof(visitor, message.text);
    } else if (message.kind == MessageKind::kDifference &&
               !visitor.helloText.empty()) {
      difference.emplace();
      if (decodeDifference(message.text, *difference)) {
        outcome = Outcome::kIsChecked;
      }
    }
    if (outcome != Outcome::kStays) return outcome;
  }
  const bool isLate = Clock::now() - visitor.since > kAnswerTime;
  return isLate || visitor.channel.isClosed() ? Outcome::kLeaves
                                              : Outcome::kStays;
}

AdmissionServer::Outcome AdmissionServer::handleHello(
    Visitor& visitor, const std::string& helloText) {
  if (!visitor.helloText.empty() || !decodeHello(helloText, visitor.hello)) {
    return Outcome::kLeaves;
  }
  visitor.helloText = helloText;
  Challenge challenge;
  challenge.hub = hub;
  challenge.keySource = identity.keySource;
  challenge.nonce = drawNonce();
  if (identity.keySource == KeySource::kStart) {
    challenge.start = encodeStart(identity.start);
  }
  challenge.proof = identity.key.prove(coveredTexts(challenge, helloText));
  visitor.challengeText = encodeChallenge(challenge);
  visitor.channel.send(MessageKind::kChallenge, visitor.challengeText);
  return Outcome::kStays;
}

AdmissionServer::Outcome AdmissionServer::handleProof(
    Visitor& visitor, const std::string& proofText) {
  Proof proof;
  if (visitor.helloText.empty() || visitor.isProven ||
      !decodeProof(proofText, proof) ||
      !identity.key.isProof(proof.proof, coveredTexts(proof, visitor.helloText,
                                                      visitor.challengeText))) {
    return Outcome::kLeaves;
  }
  visitor.isProven = true;
  if (proof.digest == identity.digest) return Outcome::kIsChecked;
  visitor.channel.send(MessageKind::kStart, encodeStart(identity.start));
  return Outcome::kStays;
}

}  // namespace sbp::bootstrap
