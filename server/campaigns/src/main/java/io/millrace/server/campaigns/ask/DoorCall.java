package io.millrace.server.campaigns.ask;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.door.CampaignDoor;
import io.millrace.server.gateway.QueryToken;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.query.RecordFrames;
import io.millrace.server.http.LocalCaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** Asks the campaign server of the gateway's home. */
public final class DoorCall {

  private static final Duration ANSWER_MAX = Duration.ofSeconds(20);
  private static final int ANSWER_BYTES_MAX = 64 << 20;
  private static final int NOT_FOUND = 404;
  private static final int DONE = 200;

  /** From this one on the campaign server could not, and a full disk may be why. */
  private static final int FAILED = 500;

  /** Exit status when the campaign server, or what it is asked with, does not answer. */
  public static final int UNREACHABLE = 111;

  private static final LocalCaller CALLER = new LocalCaller(ANSWER_BYTES_MAX);
  private static final RecordCodec CODEC = WireCodec.local();

  private final Call call;

  public DoorCall(Call call) {
    this.call = call;
  }

  private Path socket() throws Failure {
    Path socket = Path.of(call.site().home()).resolve(CampaignDoor.SOCKET);
    if (!Files.exists(socket)) {
      throw call.failure("no campaign server runs here (./millrace up --campaigns)", UNREACHABLE);
    }
    return socket;
  }

  private Map<String, String> token() {
    return Map.of("X-Millrace-Token", QueryToken.of(Path.of(call.site().home())).get());
  }

  private Failure unreachable(IOException e) {
    String why = "the campaign server does not answer: " + e.getMessage();
    return call.failure(call.site().withRoom(why), UNREACHABLE);
  }

  /** Has a command carried out; under the id of the call it is done once. */
  public Reply command(SpecificRecord command) throws Failure, InterruptedException {
    byte[] bytes = CODEC.encode(command);
    if (bytes.length > CampaignDoor.COMMAND_BYTES_MAX) {
      String most = " bytes, compressed; at most " + CampaignDoor.COMMAND_BYTES_MAX + " may be";
      throw call.failure("the campaign has " + bytes.length + most, 1);
    }
    try {
      LocalCaller.LocalAnswer answer =
          CALLER.post(socket(), "/commands", token(), bytes, ANSWER_MAX);
      if (answer.status() != DONE) {
        throw failed(answer);
      }
      return (Reply) CODEC.decode(answer.body());
    } catch (IOException e) {
      throw unreachable(e);
    } catch (UndecodableRecord e) {
      throw call.failure("the campaign server's answer makes no sense: " + e.getMessage(), 1);
    }
  }

  private Failure failed(LocalCaller.LocalAnswer answer) {
    String why = new String(answer.body(), StandardCharsets.UTF_8).strip();
    String all = answer.status() >= FAILED ? call.site().withRoom(why) : why;
    return call.failure(all, answer.status() == NOT_FOUND ? 1 : UNREACHABLE);
  }

  /** A text. */
  public String text(String path) throws Failure, InterruptedException {
    LocalCaller.LocalAnswer answer = asked(path);
    if (answer.status() != DONE) {
      throw failed(answer);
    }
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  /**
   * Records that there are.
   *
   * @throws Failure also when there is no such campaign
   */
  public <T extends SpecificRecord> List<T> list(String path, Class<T> type)
      throws Failure, InterruptedException {
    LocalCaller.LocalAnswer answer = asked(path);
    if (answer.status() != DONE) {
      throw failed(answer);
    }
    return records(answer, type);
  }

  /** All campaigns, in their order, without what they run and where each task is. */
  public List<Campaign> campaigns() throws Failure, InterruptedException {
    List<Campaign> all = new ArrayList<>();
    List<Campaign> piece = list("/campaigns/from/0", Campaign.class);
    while (!piece.isEmpty()) {
      all.addAll(piece);
      long next = piece.get(piece.size() - 1).getId() + 1;
      piece = list("/campaigns/from/" + next, Campaign.class);
    }
    return all;
  }

  /** A record, if there is such a campaign or event. */
  public <T extends SpecificRecord> Optional<T> find(String path, Class<T> type)
      throws Failure, InterruptedException {
    LocalCaller.LocalAnswer answer = asked(path);
    if (answer.status() == NOT_FOUND) {
      return Optional.empty();
    }
    if (answer.status() != DONE) {
      throw failed(answer);
    }
    return records(answer, type).stream().findFirst();
  }

  private LocalCaller.LocalAnswer asked(String path) throws Failure, InterruptedException {
    try {
      return CALLER.get(socket(), path, token(), ANSWER_MAX);
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private <T extends SpecificRecord> List<T> records(LocalCaller.LocalAnswer answer, Class<T> type)
      throws Failure {
    try {
      return RecordFrames.read(new ByteArrayInputStream(answer.body()), CODEC, type);
    } catch (IOException e) {
      throw unreachable(e);
    }
  }
}
