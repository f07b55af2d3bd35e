#include "runtime/bootstrap/Channel.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/bootstrap/testing/ProcessToken.h"

namespace sbp::bootstrap {
namespace {

TEST(Channel, KeepsMessagesWholeAndInOrder) {
  MeetingPoint point;
  point.socketName = "channel-test-" + std::to_string(processToken());
  auto listener = listenAt(point);
  ASSERT_TRUE(listener.ok());
  Channel sender(*connectTo(point, WaitLimit(5)));
  Channel receiver(acceptFrom(*listener));
  std::vector<std::string> texts = {"", "short", std::string(3'000'000, 'x')};
  for (const std::string& text : texts) {
    sender.send(MessageKind::kVerdict, text);
  }
  std::vector<std::string> received;
  while (received.size() < texts.size()) {
    sender.flush();
    for (const Message& message : receiver.receive()) {
      EXPECT_EQ(message.kind, MessageKind::kVerdict);
      received.push_back(message.text);
    }
  }
  EXPECT_EQ(received, texts);
  sender = Channel();
  EXPECT_TRUE(receiver.receive().empty());
  EXPECT_TRUE(receiver.isClosed());
}

TEST(Texts, ComeApartAsTheyWereJoined) {
  std::vector<std::string> texts = {"a", "", std::string("\0b", 2)}, split;
  EXPECT_TRUE(splitTexts(joinTexts(texts), split));
  EXPECT_EQ(split, texts);
  EXPECT_FALSE(splitTexts("abc", split));
  EXPECT_FALSE(splitTexts(std::string("\xff\0\0\0x", 5), split));
}

}  // namespace
}  // namespace sbp::bootstrap
