package io.millrace.schedulers.dialects.origin2000.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginConfigTextTest {

  private static final OriginPlace PLACE = new OriginPlace("hopper", ZoneOffset.UTC);
  private static final String BASE = "SUBMIT_QUEUE submit\nBATCH_QUEUES exec\n";

  private static OriginConfig read(String text) {
    OriginConfig config = OriginConfigText.read("config", text, PLACE).config();
    OriginConfigChecks.check("config", config, command -> !command.equals("nope"));
    return config;
  }

  @Test
  void blanksCommentsAndALastLineWithoutEndAreRead() {
    OriginConfig config = read(BASE + "   # indented\n  \t \n\nMAX_JOBS 45# five\nMIN_JOBS 37");
    assertEquals(45, config.number(OriginOption.MAX_JOBS));
    assertEquals(37, config.number(OriginOption.MIN_JOBS));
  }

  @Test
  void theLastLineCountsButQueuesAreJoined() {
    OriginConfig config =
        read("SUBMIT_QUEUE s\nBATCH_QUEUES a,b@h2\nBATCH_QUEUES c\nMAX_JOBS 1\nMAX_JOBS 2\n");
    assertEquals("[a@hopper, b@h2, c@hopper]", config.queues(OriginOption.BATCH_QUEUES).toString());
    assertEquals(2, config.number(OriginOption.MAX_JOBS));
  }

  @Test
  void whatIsNotLookedAtIsWarnedOf() {
    assertEquals(
        List.of(
            "config:3: '4' behind the argument is not looked at",
            "config:4: of '5x' only 5 is looked at"),
        OriginConfigText.read("config", BASE + "MAX_JOBS 3 4\nMIN_JOBS 5x\n", PLACE).warnings());
  }

  @Test
  void whatIsPrintedIsReadAgain() {
    String text =
        BASE
            + "ENFORCE_PRIME_TIME 11/01/1999@02:00:00\nPRIME_TIME_START 8:00:00\n"
            + "PRIME_TIME_END 17:00:00\nPRIME_TIME_WALLT_LIMIT 2:00:00\n"
            + "TARGET_LOAD_VARIANCE +7%\nDECAY_FACTOR .5\nSYSTEM_NAME Cluster\n"
            + "SCHED_RESTART_ACTION RERUN\nTEST_ONLY yes\n";
    OriginConfig config = read(text);
    String printed = config.print(PLACE);
    OriginConfig again = read(printed);
    for (OriginOption option : OriginOption.values()) {
      assertEquals(config.value(option), again.value(option), option.name());
    }
    assertTrue(printed.contains("ENFORCE_PRIME_TIME\t11/01/1999@02:00:00\n"), printed);
    assertTrue(
        config.explain(PLACE).get(0).startsWith("SUBMIT_QUEUE = submit@hopper: The queue whose"),
        config.explain(PLACE).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "MAX_JOBZ 1 | 3: 'MAX_JOBZ' is no option (nearest: MAX_JOBS)",
        "max_jobs 1 | 3: 'max_jobs' is no option (nearest: MAX_JOBS)",
        "TEST_ONLY | 3: TEST_ONLY has no argument",
        "TEST_ONLY maybe | 3: TEST_ONLY is 'maybe', but must be a boolean",
        "TEST_ONLY 11/09/1999@00:00:00 | 3: TEST_ONLY is '11/09/1999@00:00:00'",
        "MAX_JOBS many | 3: MAX_JOBS is 'many', but must be a whole number",
        "MAX_JOBS -1 | 3: MAX_JOBS is '-1', but must be a whole number",
        "MAX_JOBS 12345678901 | 3: MAX_JOBS is '12345678901'",
        "DECAY_FACTOR abc | 3: DECAY_FACTOR is 'abc', but must be a number",
        "DECAY_FACTOR -1 | 3: DECAY_FACTOR is '-1', but must be a number, 0 or more",
        "MAX_QUEUED_TIME 90 | 3: MAX_QUEUED_TIME is '90', but must be a time",
        "MAX_QUEUED_TIME 60:00 | 60 is above 59; one minute is 1:00, one hour 1:00:00",
        "MAX_QUEUED_TIME 1: | '' is no number",
        "MAX_QUEUED_TIME 1::5 | '' is no number",
        "MAX_QUEUED_TIME 1:2:3:4 | it has more than three parts",
        "MAX_QUEUED_TIME 1:-1 | '-1' is no number",
        "MAX_QUEUED_TIME 9999999:00:00 | is above 999999",
        "TARGET_LOAD_VARIANCE 15%,+10% | '15%' is no -NN% or +NN%",
        "TARGET_LOAD_VARIANCE -1%,-2% | the sign - is there twice",
        "SCHED_RESTART_ACTION restart | must be NONE, RESUBMIT or RERUN, in capitals",
        "SCHED_RESTART_ACTION none | (nearest: NONE)",
        "ENFORCE_PRIME_TIME 11/10/1999 | it is neither a word for true or false nor such a date",
        "ENFORCE_PRIME_TIME 13/10/1999@00:00:00 | the month 13 is above 12",
        "ENFORCE_PRIME_TIME 12/32/1999@00:00:00 | the day 32 is above 31",
        "ENFORCE_PRIME_TIME 0/1/1999@00:00:00 | months and days begin at 1",
        "ENFORCE_PRIME_TIME 12/01/1999@24:00:00 | the hour 24 is above 23",
        "ENFORCE_PRIME_TIME 12/01/1999@23:60:00 | the minute 60 is above 59",
        "BATCH_QUEUES , | there is no queue in it",
        "BATCH_QUEUES a@ | 'a@' is no NAME@HOST",
        "BATCH_QUEUES @h | '@h' is no NAME@HOST",
        "BATCH_QUEUES a@b@c | 'a@b@c' is no NAME@HOST",
        "SUBMIT_QUEUE other | 3: SUBMIT_QUEUE names 2 queues, but there can be only one",
        "BATCH_QUEUES exec | 3: BATCH_QUEUES names exec@hopper twice",
        "SPECIAL_QUEUE a,b | 3: SPECIAL_QUEUE names 2 queues, but there can be only one",
        "SPECIAL_QUEUE exec | 3: exec@hopper is in both BATCH_QUEUES and SPECIAL_QUEUE",
        "EXTERNAL_QUEUES a,exec | 3: exec@hopper is in both BATCH_QUEUES and EXTERNAL_QUEUES",
        "EXTERNAL_QUEUES submit | 3: submit@hopper is in both SUBMIT_QUEUE and EXTERNAL_QUEUES",
        "ENFORCE_PRIME_TIME True | 3: ENFORCE_PRIME_TIME is set, but PRIME_TIME_START is not",
        "SMALL_JOB_MAX 4 | 3: SMALL_JOB_MAX is set, but WALLT_LIMIT_LARGE_JOB is not, or is 0",
        "ENFORCE_DEDICATED_TIME True | 3: ENFORCE_DEDICATED_TIME is set, but there are no",
        "REVOKE_HPM_COUNTERS True | 3: REVOKE_HPM_COUNTERS needs MANAGE_HPM_COUNTERS",
        "FAKE_MACHINE_MULT 0 | 3: FAKE_MACHINE_MULT must be 1 or more",
        "ENFORCE_ALLOCATION True | 3: ENFORCE_ALLOCATION is set, but SCHED_ACCT_DIR is not",
      })
  void aWrongLineIsRefused(String line, String reason) {
    String message =
        assertThrows(ConfigurationRefused.class, () -> read(BASE + line + "\n")).getMessage();
    assertTrue(message.startsWith("config:3: "), message);
    assertTrue(message.contains(reason), message);
  }

  @Test
  void linesThatDoNotFitEachOtherAreRefused() {
    String dedicated = BASE + "ENFORCE_DEDICATED_TIME True\nDEDICATED_QUEUES d1";
    refused(BASE.replace("BATCH_QUEUES exec\n", ""), "config: BATCH_QUEUES is missing");
    refused("BATCH_QUEUES exec\n", "config: SUBMIT_QUEUE is missing");
    refused(
        dedicated + "\n", "config:3: ENFORCE_DEDICATED_TIME is set, but DEDICATED_TIME_COMMAND");
    refused(dedicated + ",d2\n", "config:4: DEDICATED_QUEUES names two queues of the host hopper");
    refused(
        dedicated + "\nDEDICATED_TIME_COMMAND nope\n",
        "config:5: DEDICATED_TIME_COMMAND nope is no program that can be run");
    String prime =
        BASE + "ENFORCE_PRIME_TIME True\nPRIME_TIME_START 8:00:00\nPRIME_TIME_END 25:00:00\n";
    refused(prime, "config:5: PRIME_TIME_END is after 24:00:00, which is no time of day");
    refused(BASE + "#" + "x".repeat(600), "config:3: the line is longer than 510 characters");
  }

  private static void refused(String text, String reason) {
    String message = assertThrows(ConfigurationRefused.class, () -> read(text)).getMessage();
    assertTrue(message.startsWith(reason), message);
  }
}
