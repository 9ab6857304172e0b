package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.SubscribeNotices;
import io.millrace.schemas.campaign.Subscription;
import io.millrace.schemas.campaign.UnsubscribeNotices;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.OwnSubscriptions;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** gridnotify: to which addresses of the caller mail about his campaigns goes. */
final class Gridnotify implements Command {

  private static final String LETTERS = "j:lm:s:uv";

  private static final Map<String, Character> WORDS =
      Map.of(
          "jabber",
          'j',
          "list",
          'l',
          "mail",
          'm',
          "severity",
          's',
          "unsubscribe",
          'u',
          "verbose",
          'v');

  private static final String USAGE =
      """
      usage: gridnotify -l
             gridnotify -m ADDRESS -s low|medium|high
             gridnotify -m ADDRESS -u
      """;
  private static final int WRONG = 2;

  static final Syntax SYNTAX = Syntax.of(LETTERS, USAGE);

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(SYNTAX);
  }

  @Override
  public int run(Call call) throws Failure, InterruptedException {
    GetOpt options = WordOptions.of(call, LETTERS, WORDS);
    if (options.has('j')) {
      throw call.failure("-j: nobody is told by jabber (xmpp) here; -m tells by mail", WRONG);
    }
    boolean list = options.has('l');
    boolean other = options.has('m') || options.has('s') || options.has('u');
    boolean contradicts = options.has('s') && options.has('u');
    if (options.wrong()
        || !options.operands().isEmpty()
        || list == options.has('m')
        || list && other
        || contradicts) {
      throw call.usage(USAGE);
    }
    DoorCall door = new DoorCall(call);
    if (list) {
      call.out(text(OwnSubscriptions.of(call, door)));
      return 0;
    }
    String address = options.argument('m');
    Reply reply =
        door.command(
            options.has('u')
                ? new UnsubscribeNotices(call.meta(), address)
                : new SubscribeNotices(call.meta(), address, severity(call, options)));
    if (reply.getCode() != 0) {
      call.complain(String.join(" ", reply.getLines()));
    } else if (options.has('v')) {
      call.out(options.has('u') ? "Unsubscription ok\n" : "New subscription created\n");
    }
    return PbsError.exitStatus(reply.getCode());
  }

  private static NoticeSeverity severity(Call call, GetOpt options) throws Failure {
    return OwnSubscriptions.severity(options.has('s') ? options.argument('s') : "")
        .orElseThrow(() -> call.failure("-s takes low, medium or high, with -m", WRONG));
  }

  private static String text(List<Subscription> subscriptions) {
    StringBuilder out = new StringBuilder();
    for (Subscription it : subscriptions) {
      String severity = it.getSeverity().name().toLowerCase(Locale.ROOT);
      out.append(" - mail on ").append(it.getAddress());
      out.append(" with severity ").append(severity).append('\n');
    }
    return subscriptions.isEmpty()
        ? ""
        : "You have the following notification subscriptions:\n" + out;
  }
}
