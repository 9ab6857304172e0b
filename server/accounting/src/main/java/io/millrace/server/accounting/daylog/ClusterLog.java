package io.millrace.server.accounting.daylog;

import io.millrace.schemas.Topics;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ChangeClosed;
import io.millrace.schemas.fact.ChangeOpened;
import io.millrace.schemas.fact.EngineNoted;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.fact.NodeWentDown;
import io.millrace.schemas.state.AttributeEdit;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.schemas.state.OpenChange;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.book.AccountValue;
import io.millrace.server.accounting.daylog.LogLine.Event;
import io.millrace.server.accounting.daylog.LogLine.LogObjectKind;
import io.millrace.server.accounting.ledger.FactHandlers;
import io.millrace.server.accounting.ledger.FactReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;

/** What the server's day log says of administrators' changes, nodes and schedulers. */
public final class ClusterLog implements FactReader {

  /** Comments of engines that failed again and again, and that work again. */
  private static final Set<String> COMMENTS = Set.of("NEEDS_ATTENTION", "READY_TO_USE");

  private final FactHandlers handlers = new FactHandlers();
  private final AccountBook book;
  private final ServerLogLines lines;

  public ClusterLog(AccountBook book, ServerLogLines lines) {
    this.book = book;
    this.lines = lines;
    handlers.on(ChangeOpened.class, (shard, meta, fact) -> opened(shard, fact.getChange()));
    handlers.on(ChangeClosed.class, this::closed);
    handlers.on(
        NodeCameUp.class,
        (shard, meta, fact) -> node(meta, fact.getName(), "node up on host " + fact.getHost()));
    handlers.on(
        NodeWentDown.class,
        (shard, meta, fact) -> node(meta, fact.getName(), "node down: " + fact.getWhy()));
    handlers.on(
        EngineStarted.class,
        (shard, meta, fact) ->
            lines.add(
                meta,
                Event.SYSTEM,
                LogObjectKind.SCHEDULER,
                fact.getScheduler(),
                "scheduler connected"));
    handlers.on(EngineNoted.class, (shard, meta, fact) -> noted(meta, fact));
  }

  private void noted(FactMeta meta, EngineNoted fact) {
    String scheduler = fact.getScheduler();
    boolean works = fact.getCondition() == EngineCondition.WORKS;
    String text = works ? "scheduler connected" : "scheduler disconnected";
    String why = text + ": " + fact.getWhy();
    lines.add(meta, Event.SYSTEM, LogObjectKind.SCHEDULER, scheduler, works ? text : why);
    if (!works) {
      for (String partition : fact.getPartitions()) {
        String unreachable = "Unable to reach scheduler associated with partition " + partition;
        lines.add(meta, Event.ERROR, LogObjectKind.SCHEDULER, scheduler, unreachable);
      }
    }
    if (COMMENTS.contains(fact.getComment())) {
      String set = "attributes set: comment = " + fact.getComment();
      lines.add(meta, Event.ADMIN, LogObjectKind.SCHEDULER, scheduler, set);
    }
  }

  private void node(FactMeta meta, String name, String text) {
    lines.add(meta, Event.ADMIN, LogObjectKind.NODE, name, text);
  }

  /** A change is told when all shards have it; it may be refused until then. */
  private void opened(int shard, OpenChange open) {
    ObjectChange change = open.getChange();
    if (shard != Topics.ADMINISTRATIVE_SHARD || change.getOperation().equals("INITIALISE")) {
      return;
    }
    String by = open.getWaiting().getPrincipal() + "@" + open.getWaiting().getHost();
    List<String> texts = new ArrayList<>();
    String word =
        switch (change.getOperation()) {
          case "CREATE" -> "created";
          case "DELETE" -> "deleted";
          case "UNSET" -> "attributes unset: ";
          default -> "attributes set: ";
        };
    texts.add(word + " at request of " + by);
    for (AttributeEdit edit : change.getAttributes()) {
      boolean unset = change.getOperation().equals("UNSET");
      texts.add(
          unset
              ? "attributes unset: " + edit.getName()
              : "attributes set: " + edit.getName() + sign(edit) + edit.getValue());
    }
    texts.add(0, change.getKind() + " " + change.getName());
    // A line end in a value would begin a line of its own, which nobody could tell from others.
    String all = texts.stream().map(AccountValue::visible).collect(Collectors.joining("\n"));
    book.change(open.getNumber(), all);
  }

  private static String sign(AttributeEdit edit) {
    return switch (edit.getOperation()) {
      case "ADD" -> " += ";
      case "REMOVE" -> " -= ";
      default -> " = ";
    };
  }

  private void closed(int shard, FactMeta meta, ChangeClosed fact) {
    String text = shard == Topics.ADMINISTRATIVE_SHARD ? book.takeChange(fact.getNumber()) : null;
    if (text == null || fact.getCode() != 0) {
      return;
    }
    List<String> all = List.of(text.split("\n"));
    String[] object = all.get(0).split(" ", 2);
    ObjectKind kind = ObjectKind.valueOf(object[0]);
    String name = kind == ObjectKind.SERVER ? "Server@" + lines.host() : object[1];
    all.stream().skip(1).forEach(each -> lines.add(meta, Event.ADMIN, kind(kind), name, each));
  }

  private static LogObjectKind kind(ObjectKind kind) {
    return switch (kind) {
      case SERVER, PARTITION -> LogObjectKind.SERVER;
      case QUEUE -> LogObjectKind.QUEUE;
      case NODE -> LogObjectKind.NODE;
      case SCHEDULER -> LogObjectKind.SCHEDULER;
      case RESOURCE -> LogObjectKind.RESOURCE;
    };
  }

  @Override
  public boolean tells(String fact) {
    return handlers.tells(fact);
  }

  @Override
  public void follow(int shard, SpecificRecord fact) {
    handlers.follow(shard, fact);
  }
}
