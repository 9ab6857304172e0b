package io.millrace.ops.campaigns;

import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.campaign.AdmissionRule;
import io.millrace.schemas.campaign.AdmissionRules;
import io.millrace.schemas.campaign.SetAdmissionRules;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import io.millrace.server.campaigns.ask.RuleFile;
import io.millrace.server.campaigns.door.CampaignDoor;
import io.millrace.server.gateway.QueryToken;
import io.millrace.server.gateway.link.CommandIds;
import io.millrace.server.gateway.query.RecordFrames;
import io.millrace.server.http.LocalCaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** {@code ./millrace campaigns}. */
public final class CampaignsWord implements Word {

  private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
  private static final int ANSWER_BYTES_MAX = 4 << 20;
  private static final int DONE = 200;
  private static final String ADMISSION = "admission";

  private static final RecordCodec CODEC = WireCodec.local();

  @Override
  public String name() {
    return "campaigns";
  }

  @Override
  public String summary() {
    return "which campaigns are taken (admission FILE, admission --show)";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    GivenOptions options =
        HomeOption.only("campaigns", "Sets the rules by which campaigns are taken, or shows them.")
            .flag("--show", "shows those that count")
            .operands("admission [FILE]")
            .parse(arguments);
    List<String> operands = options.operands();
    if (operands.isEmpty() || !operands.get(0).equals(ADMISSION)) {
      throw options.wrong("'admission' is what there is to be said");
    }
    boolean show = options.has("--show");
    if (operands.size() != (show ? 1 : 2)) {
      throw options.wrong("either a file of rules or --show");
    }
    Home home = HomeOption.of(options);
    Path socket = home.root().resolve(CampaignDoor.SOCKET);
    if (!Files.exists(socket)) {
      throw new WordFailed("no campaign server runs here (./millrace up --campaigns)");
    }
    Map<String, String> token = Map.of("X-Millrace-Token", QueryToken.of(home.root()).get());
    try (LocalCaller caller = new LocalCaller(ANSWER_BYTES_MAX)) {
      if (show) {
        byte[] shown = body(caller.get(socket, "/" + ADMISSION, token, ANSWER_MAX));
        List<AdmissionRules> rules =
            RecordFrames.read(new ByteArrayInputStream(shown), CODEC, AdmissionRules.class);
        console.say(RuleFile.text(rules.isEmpty() ? List.of() : rules.get(0).getRules()));
        return 0;
      }
      SetAdmissionRules command = new SetAdmissionRules(meta(), rules(operands.get(1)));
      byte[] reply =
          body(caller.post(socket, "/commands", token, CODEC.encode(command), ANSWER_MAX));
      return said((Reply) CODEC.decode(reply), console);
    } catch (UndecodableRecord e) {
      throw new WordFailed("the campaign server's answer makes no sense", e);
    }
  }

  private static List<AdmissionRule> rules(String file) throws IOException, WordFailed {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      byte[] bytes = in.readNBytes(RuleFile.BYTES_MAX + 1);
      if (bytes.length > RuleFile.BYTES_MAX) {
        throw new WordFailed(file + " has more than 1 MiB");
      }
      return RuleFile.read(bytes);
    } catch (IOException e) {
      throw new WordFailed(file + ": " + e.getMessage(), e);
    }
  }

  /** Who can read the home's token is its owner or root, who make managers. */
  private static CommandMeta meta() {
    String user = System.getProperty("user.name");
    return new CommandMeta(
        CommandIds.derive(UUID.randomUUID(), user, ADMISSION), user, "", "", Role.MANAGER, -1, 0L);
  }

  private static byte[] body(LocalCaller.LocalAnswer answer) throws WordFailed {
    if (answer.status() != DONE) {
      throw new WordFailed(new String(answer.body(), StandardCharsets.UTF_8).strip());
    }
    return answer.body();
  }

  private static int said(Reply reply, Console console) throws WordFailed {
    String line = String.join(" ", reply.getLines());
    if (reply.getCode() != 0) {
      throw new WordFailed(line);
    }
    console.say("admission rules: " + line);
    return 0;
  }
}
