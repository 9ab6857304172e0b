package io.millrace.server.streams.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.NoteFolder;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import io.millrace.server.streams.worker.DeferredWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Folders of scheduler objects are looked at on a thread of their own, here step by step. */
class FolderWatchTest {

  private final Tables tables = Tables.inMemory(0, 1);
  private final DeferredWork worker = new DeferredWork();
  private final List<String> looked = new ArrayList<>();
  private final FolderWatch watch =
      new FolderWatch(
          (attribute, path) -> {
            looked.add(attribute + " " + path);
            return path.startsWith("/bad") ? Optional.of("is bad") : Optional.empty();
          },
          worker);

  private void written(String... pairs) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      attributes.add(new Attribute(pairs[i], pairs[i + 1]));
    }
    ClusterObject object = new ClusterObject(ObjectKind.SCHEDULER, "s1", 1L, attributes, 1L);
    tables.objects().put(Keys.object(ObjectKind.SCHEDULER, "s1"), object);
    FactMeta meta = new FactMeta(1L, 1L, new CommandId(new byte[16]), "root");
    watch.hear(List.of(new ObjectWritten(meta, object)));
  }

  private static CommandMeta meta() {
    return new CommandMeta(new CommandId(new byte[16]), "shard-0", "", "", Role.SHARD, -1, 0L);
  }

  private List<String> due() {
    List<String> due = new ArrayList<>();
    for (SpecificRecord command : watch.due(tables, FolderWatchTest::meta)) {
      NoteFolder note = (NoteFolder) command;
      due.add(note.getScheduler() + " " + note.getAttribute() + " " + note.getPath());
    }
    return due;
  }

  @Test
  void oneThatCannotBeUsedIsSaidUntilTheShardHasHeard() {
    written("sched_log", "/bad/log", "scheduling", "True");
    assertEquals(List.of(), due(), "the disk has not answered");
    assertEquals(List.of(), looked);
    worker.now();
    assertEquals(List.of("s1 sched_log /bad/log"), due());
    assertEquals(List.of("s1 sched_log /bad/log"), due(), "it may have been busy");
    String comment = "Unable to change the sched_log directory";
    written("sched_log", "/bad/log", "scheduling", "False", "comment", comment);
    worker.now();
    assertEquals(List.of(), due());
    assertEquals(List.of("sched_log /bad/log"), looked, "looked at once");
  }

  @Test
  void anotherFolderTakesItsPlace() {
    written("sched_priv", "/bad/priv");
    written("sched_priv", "/good/priv");
    worker.now();
    assertEquals(List.of(), due());
    written();
    written("sched_priv", "/good/priv");
    worker.now();
    assertEquals(
        List.of("sched_priv /bad/priv", "sched_priv /good/priv", "sched_priv /good/priv"), looked);
  }

  /** As PBS does when scheduling is switched on. */
  @Test
  void itIsLookedAtAgainWhenTheSchedulerIsToGoOn() {
    written("sched_log", "/good/log", "scheduling", "True");
    written("sched_log", "/good/log", "scheduling", "True", "comment", "x");
    worker.now();
    assertEquals(1, looked.size());
    written("sched_log", "/good/log", "scheduling", "False");
    written("sched_log", "/good/log", "scheduling", "True");
    worker.now();
    assertEquals(2, looked.size());
  }
}
