package io.millrace.server.gateway.admin;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of a policy on their way into a scheduler object. The client reads them with its user's
 * rights; one change of the object carries all of them, so that they hold together or not at all.
 */
final class PolicyTexts {
  static final int FILE_MAX = 256 << 10;

  private PolicyTexts() {}

  /** The texts of files, by their names without folders. */
  static Map<String, String> read(Call call, List<String> paths)
      throws Failure, IOException, InterruptedException {
    Map<String, String> texts = new TreeMap<>();
    for (String path : paths) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      texts.put(name, text(call, name, call.invocation().readFile(path, FILE_MAX)));
    }
    return texts;
  }

  /** What a file holds; its name is for the failure when that is no text. */
  static String text(Call call, String name, byte[] bytes) throws Failure {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw call.failure(name + ": this is no text in UTF-8", 1);
    }
  }

  /**
   * Makes a text the policy of a scheduler object, and waits until every shard has it.
   *
   * @param policy name of the policy, and of the attribute that has its text
   * @param folder whose files are followed from now on; empty for none
   */
  static void set(Call call, String scheduler, String policy, String text, String folder)
      throws Failure, LinkException, IOException, InterruptedException {
    change(
        call,
        scheduler,
        List.of(
            assign("policy", policy),
            assign(policy, text),
            assign(AttributeTable.POLICY_FOLDER, folder),
            assign(AttributeTable.POLICY_PROBLEM, "")));
  }

  /** Changes a scheduler object, and waits until every shard has it. */
  static void change(Call call, String scheduler, List<AttributeChange> changes)
      throws Failure, LinkException, IOException, InterruptedException {
    Reply reply =
        call.send(
            Topics.ADMINISTRATIVE_SHARD,
            meta ->
                new ChangeObject(
                    meta, ChangeOperation.SET, ObjectKind.SCHEDULER, scheduler, changes));
    if (reply.getCode() != 0) {
      String why = String.join(" ", reply.getLines()).strip();
      throw call.failure("scheduler " + scheduler + ": " + why, 1);
    }
    call.site().cluster().barrier();
  }

  static AttributeChange assign(String name, String value) {
    return new AttributeChange(name, value, AttributeOperation.ASSIGN);
  }
}
