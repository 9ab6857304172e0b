package io.millrace.server.gridengine.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.link.LinkException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An array of more than one command's tasks, whose later parts may go wrong. */
class QueueingTest {

  private static final List<Integer> TASKS = IntStream.rangeClosed(1, 250).boxed().toList();

  private final StringBuilder errors = new StringBuilder();
  private final List<Long> arrays = new ArrayList<>();
  private int queued;

  private NewJob job(int task, long array) {
    arrays.add(array);
    JobSpec spec = new JobSpec();
    spec.setVariables(List.of());
    spec.setArgv(List.of());
    return new NewJob(spec, "n", List.of(), List.of(), null, 0L);
  }

  private Reply taken(List<NewJob> jobs) {
    List<String> ids =
        IntStream.range(0, jobs.size()).mapToObj(i -> (77 + queued + i) + ".vm").toList();
    queued += jobs.size();
    return reply(0, ids);
  }

  private static Reply reply(int code, List<String> lines) {
    Reply reply = new Reply();
    reply.setCode(code);
    reply.setLines(lines);
    return reply;
  }

  private Queueing queueing(Queueing.NewJobShard shard) {
    return new Queueing(shard, this::job, errors::append);
  }

  @Test
  void allPartsNameTheFirstJob() throws Exception {
    List<Long> numbers = queueing(this::taken).queue(TASKS, true);
    assertEquals(250, numbers.size());
    assertEquals(77, numbers.get(0));
    assertEquals(0, arrays.get(99));
    assertEquals(77, arrays.get(100));
    assertEquals("", errors.toString());
  }

  @Test
  void aRefusalOfALaterPartTellsHowManyAreQueued() {
    Queueing queueing =
        queueing(jobs -> queued < 200 ? taken(jobs) : reply(15_000, List.of("no", "room")));
    RequestRefused refused = assertThrows(RequestRefused.class, () -> queueing.queue(TASKS, true));
    assertEquals("job rejected: no room", refused.getMessage());
    assertEquals("job-array 77: only 200 of 250 tasks are known to be queued\n", errors.toString());
  }

  @Test
  void aLostLinkTellsItToo() {
    Queueing queueing =
        queueing(
            jobs -> {
              if (queued == 100) {
                throw new LinkException(LinkException.LinkFailureKind.UNANSWERED, "no answer");
              }
              return taken(jobs);
            });
    assertThrows(LinkException.class, () -> queueing.queue(TASKS, true));
    assertEquals("job-array 77: only 100 of 250 tasks are known to be queued\n", errors.toString());
  }

  @Test
  void nothingIsSaidWhereNothingIsQueued() {
    Queueing queueing = queueing(jobs -> reply(15_000, List.of("no")));
    assertThrows(RequestRefused.class, () -> queueing.queue(TASKS, true));
    assertEquals("", errors.toString());
  }
}
