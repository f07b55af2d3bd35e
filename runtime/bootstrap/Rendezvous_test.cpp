#include "runtime/bootstrap/Rendezvous.h"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/bootstrap/AdmissionServer.h"
#include "runtime/bootstrap/Handshake.h"
#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/testing/ProcessToken.h"

namespace sbp::bootstrap {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Environment member(int64_t rank, int64_t size) {
  Environment env;
  env.rank = rank;
  env.size = size;
  env.meetingPoint.socketName =
      "rendezvous-test-" + std::to_string(processToken()) + "-" +
      testing::UnitTest::GetInstance()->current_test_info()->name();
  return env;
}

// A rank and how it is started.
struct Started {
  Environment env;
  StartArguments start;
};

Started rankOf(int64_t rank, int64_t size, const std::string& seed = "1",
               const std::string& secret = "") {
  Started started = {member(rank, size), {{"--seed", seed}}};
  started.env.secret = secret;
  return started;
}

// Runs all of `started` at the same time, and returns the result of each.
std::vector<absl::StatusOr<Connections>> meetAll(
    const std::vector<Started>& ranks, double timeoutSeconds) {
  std::vector<absl::StatusOr<Connections>> results(ranks.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < ranks.size(); ++i) {
    threads.emplace_back([&, i] {
      results[i] =
          meet(ranks[i].env, ranks[i].start, WaitLimit(timeoutSeconds));
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

std::string messageOf(const absl::StatusOr<Connections>& result) {
  return std::string(result.status().message());
}

TEST(Rendezvous, TellsEverybodyWhoIsWho) {
  std::vector<Started> ranks;
  for (int64_t rank = 0; rank < 8; ++rank) ranks.push_back(rankOf(rank, 8));
  auto results = meetAll(ranks, 20);
  for (int64_t rank = 0; rank < 8; ++rank) {
    ASSERT_TRUE(results[rank].ok()) << results[rank].status();
    ASSERT_EQ(results[rank]->members.size(), 8);
    EXPECT_EQ(results[rank]->members[5].rank, 5);
    EXPECT_EQ(results[rank]->members[5].pid, getpid());
    EXPECT_EQ(results[rank]->channels.size(), rank == 0 ? 8 : 1);
  }
}

TEST(Rendezvous, NamesTheRanksThatDoNotCome) {
  auto results = meetAll({rankOf(0, 5), rankOf(2, 5)}, 0.5);
  EXPECT_THAT(messageOf(results[0]), HasSubstr("3 of 5 ranks did not come"));
  EXPECT_THAT(messageOf(results[0]), HasSubstr("ranks 1, 3, 4"));
  EXPECT_TRUE(absl::IsAborted(results[1].status()));
  EXPECT_EQ(messageOf(results[1]), messageOf(results[0]));
}

TEST(Rendezvous, WithoutRankZeroEndsInTime) {
  Started unknown = rankOf(1, 2);
  unknown.env.meetingPoint = {"", "no-such-host.invalid", 29500};
  for (const Started& rank : {rankOf(1, 2), unknown}) {
    auto begin = std::chrono::steady_clock::now();
    auto results = meetAll({rank}, 0.5);
    EXPECT_THAT(messageOf(results[0]), HasSubstr("did not find rank 0"));
    EXPECT_THAT(messageOf(results[0]), HasSubstr(rank.env.meetingPoint.host));
    EXPECT_LT(std::chrono::steady_clock::now() - begin,
              std::chrono::seconds(5));
  }
}

TEST(Rendezvous, TellsARankHowItWasStartedDifferentlyAndWaitsForItsOwn) {
  auto results =
      meetAll({rankOf(0, 3), rankOf(1, 3), rankOf(2, 3, /*seed=*/"2")}, 1);
  EXPECT_THAT(messageOf(results[2]),
              AllOf(HasSubstr("rank 2 was started with --seed 2, but rank 0 at "
                              "socket "),
                    HasSubstr(" with --seed 1; if that is another job (rank 0 "
                              "(host ")));
  EXPECT_TRUE(absl::IsFailedPrecondition(results[2].status()));
  EXPECT_THAT(messageOf(results[0]),
              AllOf(HasSubstr("1 of 3 ranks did not come"),
                    HasSubstr("rank 2; not let in: a process at this host was "
                              "started differently"),
                    Not(HasSubstr("--seed 2"))));
  EXPECT_EQ(messageOf(results[1]), messageOf(results[0]));
}

TEST(Rendezvous, EndsForAllWhereARankOfTheSecretWasStartedDifferently) {
  auto results = meetAll({rankOf(0, 4, "1", "s"), rankOf(1, 4, "1", "s"),
                          rankOf(2, 4, "2", "s"), rankOf(3, 4, "1", "s")},
                         1000);
  EXPECT_THAT(messageOf(results[0]),
              HasSubstr("was started with --seed 2, but rank 0 with --seed 1"));
  EXPECT_THAT(messageOf(results[2]),
              HasSubstr("rank 2 was started with --seed 2, but rank 0 at "));
  for (int rank : {1, 3}) {
    EXPECT_TRUE(absl::IsAborted(results[rank].status()));
    EXPECT_EQ(messageOf(results[rank]), messageOf(results[0]));
  }
}

TEST(Rendezvous, TellsRanksOfWorldsOfOtherSizes) {
  auto results =
      meetAll({rankOf(0, 2, "1", "s"), rankOf(1, 3, "1", "s")}, 1000);
  for (const auto& result : results) {
    EXPECT_THAT(messageOf(result), HasSubstr("started with world size 3"));
  }
}

TEST(Rendezvous, GoesOnWithItsOwnRankBesideThatOfAnotherJob) {
  auto results =
      meetAll({rankOf(0, 2, "1", "ours"), rankOf(1, 2, "1", "theirs"),
               rankOf(1, 2, "1", /*secret=*/""), rankOf(1, 2, "1", "ours")},
              1000);
  EXPECT_TRUE(results[0].ok()) << results[0].status();
  EXPECT_TRUE(results[3].ok()) << results[3].status();
  EXPECT_THAT(messageOf(results[1]),
              AllOf(HasSubstr("another job answers at socket"),
                    HasSubstr("has another SBP_JOB_SECRET")));
  EXPECT_THAT(messageOf(results[2]),
              HasSubstr("with no secret, but rank 0 at"));
}

TEST(Rendezvous, EndsForARankTwiceOfOneSecret) {
  auto results =
      meetAll({rankOf(0, 3, "1", "secret"), rankOf(1, 3, "1", "secret"),
               rankOf(1, 3, "1", "secret")},
              1000);
  EXPECT_THAT(messageOf(results[0]), HasSubstr("the same rank: rank 1"));
  EXPECT_FALSE(results[1].ok());
  EXPECT_FALSE(results[2].ok());
}

TEST(Rendezvous, TurnsAwayTheSecondOfTwoEqualRanksWithoutASecret) {
  auto results = meetAll({rankOf(0, 2), rankOf(1, 2), rankOf(1, 2)}, 1000);
  EXPECT_TRUE(results[0].ok()) << results[0].status();
  ASSERT_NE(results[1].ok(), results[2].ok());
  EXPECT_THAT(messageOf(results[results[1].ok() ? 2 : 1]),
              HasSubstr("the same rank: rank 1"));
}

TEST(Rendezvous, TellsWhoComesWhenTheWorldIsCompleteThatAnotherJobIsThere) {
  auto world = meetAll({rankOf(0, 2), rankOf(1, 2)}, 1000);
  ASSERT_TRUE(world[0].ok()) << world[0].status();
  auto second = meetAll({rankOf(0, 2, "2"), rankOf(1, 2, "2")}, 1000);
  EXPECT_THAT(messageOf(second[0]), HasSubstr("cannot listen"));
  EXPECT_THAT(messageOf(second[1]),
              HasSubstr("rank 1 was started with --seed 2, but rank 0 at "));
}

TEST(Rendezvous, SaysThatItsPortIsTaken) {
  const Started hub = rankOf(0, 2);
  auto taken = listenAt(hub.env.meetingPoint);
  ASSERT_TRUE(taken.ok());
  EXPECT_THAT(messageOf(meetAll({hub}, 1000)[0]), HasSubstr("cannot listen"));
}

TEST(Rendezvous, KnowsWhoComesByItsAddressOverTcp) {
  // Besides the loopback, rank 0 listens on all interfaces, of IPv4 and IPv6.
  for (const char* host : {"127.0.0.1", "127.0.0.2"}) {
    const MeetingPoint point = {"", host, 20000 + int(processToken() % 10000)};
    const auto listener = listenAt(point);
    ASSERT_TRUE(listener.ok()) << listener.status();
    const auto visitor = connectTo(point, WaitLimit(10));
    ASSERT_TRUE(visitor.ok()) << visitor.status();
    EXPECT_EQ(peerOf(acceptFrom(*listener)), "127.0.0.1");
  }
}

TEST(Rendezvous, WorksOverTcp) {
  Started hub = rankOf(0, 2), other = rankOf(1, 2);
  hub.env.meetingPoint = {"", "127.0.0.1", 20000 + int(processToken() % 10000)};
  other.env.meetingPoint = hub.env.meetingPoint;
  other.env.meetingPoint.host = "localhost";
  auto results = meetAll({hub, other}, 20);
  EXPECT_TRUE(results[0].ok()) << results[0].status();
  EXPECT_TRUE(results[1].ok()) << results[1].status();
}

// Returns a rank of the job named `job`, which may meet at four ports from
// `port` on.
Started withChoice(int64_t rank, int64_t size, const std::string& job, int port,
                   const std::string& secret = "") {
  Started started = rankOf(rank, size, /*seed=*/"1", secret);
  started.env.launcher = "torchrun";
  started.env.jobName = job;
  started.env.meetingPoint = {"", "127.0.0.1", port};
  started.env.sparePorts = {port + 1, port + 2, port + 3};
  return started;
}

TEST(Rendezvous, WithAChoiceOfPortsFindsRankZeroBehindStrangers) {
  const int port = 20000 + int(processToken() % 10000);
  // A listener that stays silent, and one that hangs up.
  const auto silent = listenAt({"", "127.0.0.1", port});
  const auto rude = listenAt({"", "127.0.0.1", port + 1});
  ASSERT_TRUE(silent.ok() && rude.ok());
  std::atomic<bool> isOver = false;
  std::thread hangsUp([&] {
    while (!isOver) acceptFrom(*rude);
  });
  auto results =
      meetAll({withChoice(0, 2, "a", port), withChoice(1, 2, "a", port)}, 60);
  isOver = true;
  hangsUp.join();
  EXPECT_TRUE(results[0].ok()) << results[0].status();
  EXPECT_TRUE(results[1].ok()) << results[1].status();
}

TEST(Rendezvous, WithAChoiceOfPortsTwoJobsOfTheSamePortsFindTheirOwn) {
  const int port = 20000 + int(processToken() % 10000);
  for (const char* secret : {"", "one for all"}) {
    std::vector<Started> ranks;
    for (const char* job : {"a", "b"})
      for (int64_t rank = 0; rank < 3; ++rank)
        ranks.push_back(withChoice(rank, 3, job, port, secret));
    auto results = meetAll(ranks, 60);
    for (const auto& result : results)
      EXPECT_TRUE(result.ok()) << result.status();
  }
}

TEST(Rendezvous, WithAChoiceOfPortsARankOfTheJobStartedDifferentlyIsTold) {
  const int port = 20000 + int(processToken() % 10000);
  Started other = withChoice(1, 2, "a", port);
  other.start = {{"--seed", "2"}};
  auto results = meetAll({withChoice(0, 2, "a", port), other}, 2);
  EXPECT_THAT(messageOf(results[1]),
              HasSubstr("rank 1 was started with --seed 2, but rank 0 at"));
}

// A visitor that knows the protocol, but not the key.
class Stranger {
 public:
  explicit Stranger(const MeetingPoint& point)
      : channel(*connectTo(point, WaitLimit(10))) {}

  void say(MessageKind kind, const std::string& text) {
    channel.send(kind, text);
  }

  /// Returns the text of the next message; empty if there will be none.
  std::string hear() {
    while (!channel.isClosed()) {
      channel.flush();
      for (const Message& message : channel.receive()) return message.text;
    }
    return "";
  }

  bool isShutOut() { return hear().empty(); }

 private:
  Channel channel;
};

std::string helloOf(int64_t rank) {
  return encodeHello({thisProcess(rank), KeySource::kStart, drawNonce()});
}

std::string proofOf(const Identity& identity, const std::string& hello,
                    const std::string& challenge) {
  Proof proof;
  proof.digest = identity.digest;
  proof.proof = identity.key.prove(coveredTexts(proof, hello, challenge));
  return encodeProof(proof);
}

// A rank 0 that may be told to end. It waits for two other ranks, one of which
// has come.
class ToldToEndTest : public testing::Test {
 protected:
  ToldToEndTest() : other(hub.env.meetingPoint) {
    const std::string hello = helloOf(1);
    other.say(MessageKind::kHello, hello);
    other.say(MessageKind::kProof,
              proofOf(identify(hub.env, hub.start), hello, other.hear()));
    EXPECT_EQ(other.hear(), "");  // the welcome
  }

  absl::StatusOr<Connections> resultOfHub() {
    reception.join();
    return std::move(result);
  }

  const Started hub = rankOf(0, 3);
  std::atomic<int> stopSignal = 0;
  absl::StatusOr<Connections> result;
  std::thread reception{[this] {
    result = meet(hub.env, hub.start, WaitLimit(1000, &stopSignal));
  }};
  Stranger other;
};

TEST_F(ToldToEndTest, RankZeroTellsTheOthersAndEnds) {
  stopSignal = SIGTERM;
  const absl::Status status = resultOfHub().status();
  EXPECT_TRUE(absl::IsCancelled(status));
  EXPECT_THAT(std::string(status.message()),
              testing::MatchesRegex("interrupted: rank 0 .* was told to end"));
  EXPECT_EQ(other.hear(), status.message());
}

TEST_F(ToldToEndTest, AnotherRankEndsAllThatCame) {
  other.say(MessageKind::kInterruption, "interrupted: rank 1");
  const absl::Status status = resultOfHub().status();
  EXPECT_TRUE(absl::IsAborted(status));
  EXPECT_EQ(status.message(), "interrupted: rank 1");
  EXPECT_EQ(other.hear(), status.message());
}

TEST(Rendezvous, TellsRankZeroThatARankWasToldToEnd) {
  const Started hub = rankOf(0, 2), other = rankOf(1, 2);
  AdmissionServer server(*listenAt(hub.env.meetingPoint),
                         identify(hub.env, hub.start), thisProcess(0));
  std::atomic<int> stopSignal = 0;
  absl::StatusOr<Connections> result;
  std::thread arrival([&] {
    result = meet(other.env, other.start, WaitLimit(1000, &stopSignal));
  });
  std::vector<CheckedVisitor> visitors;
  while (visitors.empty()) visitors = server.serve();
  Channel& channel = visitors[0].channel;
  channel.send(MessageKind::kWelcome, "");
  int numUnread = 1;
  while (numUnread > 0) ioctl(channel.fd(), SIOCOUTQ, &numUnread);
  stopSignal = SIGINT;
  std::vector<Message> messages;
  while (messages.empty() && !channel.isClosed()) messages = channel.receive();
  arrival.join();
  EXPECT_TRUE(absl::IsCancelled(result.status()));
  ASSERT_EQ(messages.size(), 1);
  EXPECT_EQ(messages[0].kind, MessageKind::kInterruption);
  EXPECT_EQ(messages[0].text, messageOf(result));
}

TEST(Rendezvous, LooksForRankZeroNoLongerWhenToldToEnd) {
  Started unknown = rankOf(1, 2);
  unknown.env.meetingPoint = {"", "no-such-host.invalid", 29500};
  const std::atomic<int> stopSignal = SIGTERM;
  for (const Started& rank : {rankOf(1, 2), unknown}) {
    const auto result =
        meet(rank.env, rank.start, WaitLimit(1000, &stopSignal));
    EXPECT_TRUE(absl::IsCancelled(result.status())) << result.status();
  }
}

// A rank 0 that waits for rank 1, which comes after the strangers have gone.
class StrangersTest : public testing::Test {
 protected:
  StrangersTest() : point(hub.env.meetingPoint) {
    reception = std::thread(
        [this] { result = meet(hub.env, hub.start, WaitLimit(1000)); });
  }
  ~StrangersTest() override {
    const Started other = rankOf(1, 2);
    EXPECT_TRUE(meet(other.env, other.start, WaitLimit(20)).ok());
    reception.join();
    EXPECT_TRUE(result.ok()) << result.status();
  }

  const Started hub = rankOf(0, 2);
  const MeetingPoint point;
  absl::StatusOr<Connections> result;
  std::thread reception;
};

TEST_F(StrangersTest, MaySayAnything) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    auto socket = connectTo(point, WaitLimit(10));
    ASSERT_TRUE(socket.ok());
    std::string text(random() % 300, '\0');
    for (char& c : text) c = static_cast<char>(random());
    EXPECT_GE(write(socket->fd(), text.data(), text.size()), 0);
  }
}

TEST_F(StrangersTest, MaySayEachMessageOfTheProtocol) {
  for (unsigned char kind = 0; kind < 20; ++kind) {
    for (const std::string& text : {std::string(), helloOf(1)}) {
      Stranger stranger(point);
      stranger.say(MessageKind::kHello, helloOf(1));
      EXPECT_NE(stranger.hear(), "");
      stranger.say(static_cast<MessageKind>(kind), text);
    }
  }
}

TEST_F(StrangersTest, MayNotTakeARankWithoutAProof) {
  Stranger stranger(point);
  stranger.say(MessageKind::kHello, helloOf(1));
  EXPECT_NE(stranger.hear(), "");
  const Identity wrong = identify(hub.env, {{"--seed", "2"}});
  stranger.say(MessageKind::kProof,
               encodeProof({wrong.digest, wrong.key.prove({})}));
  EXPECT_TRUE(stranger.isShutOut());
}

TEST_F(StrangersTest, AreCutOffWhenTheyTalkMuch) {
  auto socket = connectTo(point, WaitLimit(10));
  ASSERT_TRUE(socket.ok());
  // Sends a hello of 256 MB.
  std::string block(1 << 16, 'x');
  block.replace(0, 5, std::string("\0\0\0\x10\1", 5));
  int64_t sent = 0;
  while (sent < 64 << 20) {
    const ssize_t count =
        send(socket->fd(), block.data(), block.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN) break;
    sent += std::max<ssize_t>(count, 0);
  }
  EXPECT_LT(sent, 16 << 20);
}

TEST_F(StrangersTest, MayComeInCrowdsAndStay) {
  std::vector<Socket> crowd;
  for (size_t i = 0; i < 3 * kMaxVisitors; ++i) {
    auto socket = connectTo(point, WaitLimit(10));
    ASSERT_TRUE(socket.ok());
    crowd.push_back(*std::move(socket));
  }
  const Started other = rankOf(1, 2, "2");
  EXPECT_THAT(messageOf(meet(other.env, other.start, WaitLimit(20))),
              HasSubstr("--seed 2, but rank 0"));
}

// The messages of one handshake are useless to somebody who overheard them.
TEST(Handshake, CannotBeRepeated) {
  const Started hub = rankOf(0, 2);
  const Identity identity = identify(hub.env, hub.start);
  AdmissionServer server(*listenAt(hub.env.meetingPoint), identity,
                         thisProcess(0));
  const std::string hello = helloOf(1);
  std::string proofText;
  for (const bool isReplay : {false, true}) {
    Channel caller(*connectTo(hub.env.meetingPoint, WaitLimit(10)));
    caller.send(MessageKind::kHello, hello);
    EXPECT_TRUE(server.serve().empty());
    const std::vector<Message> answers = caller.receive();
    ASSERT_EQ(answers.size(), 1);
    if (!isReplay) {
      proofText = proofOf(identity, hello, answers[0].text);
    }
    caller.send(MessageKind::kProof, proofText);
    EXPECT_EQ(server.serve().size(), isReplay ? 0 : 1);
  }
}

TEST(Handshake, WantsAProofOfRankZeroToo) {
  const Started hub = rankOf(0, 2), other = rankOf(1, 2);
  auto listener = listenAt(hub.env.meetingPoint);
  ASSERT_TRUE(listener.ok());
  std::thread impostor([&] {
    pollfd entry = {listener->fd(), POLLIN, 0};
    poll(&entry, 1, 10000);
    Channel channel(acceptFrom(*listener));
    while (channel.receive().empty() && !channel.isClosed()) continue;
    // Repeats the message of an earlier handshake.
    const Identity identity = identify(hub.env, hub.start);
    Challenge challenge = {thisProcess(0), KeySource::kStart, drawNonce(),
                           encodeStart(identity.start), ""};
    challenge.proof = identity.key.prove(coveredTexts(challenge, helloOf(1)));
    channel.send(MessageKind::kChallenge, encodeChallenge(challenge));
    for (const Message& message : channel.receive()) {
      EXPECT_NE(message.kind, MessageKind::kProof);
    }
  });
  EXPECT_THAT(messageOf(meet(other.env, other.start, WaitLimit(1000))),
              HasSubstr("is not rank 0 of this program"));
  impostor.join();
}

}  // namespace
}  // namespace sbp::bootstrap
