package io.millrace.ops.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What check and explain say about texts of each kind of object. */
class PolicyTextTest {

  @Test
  void theKindIsRecognised() {
    assertEquals(
        "the scheduler, 1 options set, all valid",
        PolicyText.parse("f", "max_reservation 20\n").summary());
    assertEquals(
        "a cluster queue, 2 options set, all valid",
        PolicyText.parse("f", "qname all.q\nslots 4\n").summary());
    assertEquals(
        "a parallel environment, 1 options set, all valid",
        PolicyText.parse("f", "pe_name mpi\n").summary());
    assertEquals(
        "a host group, 2 options set, all valid",
        PolicyText.parse("f", "group_name @all\nhostlist a b c d e f g\n").summary());
    assertEquals(
        "the complex, 2 attributes, all valid",
        PolicyText.parse("f", "hostname h HOST == YES NO NONE 0\nslots s INT <= YES YES 1 1000\n")
            .summary());
  }

  @Test
  void explainSaysWhatASetOptionChanges() {
    List<String> lines = PolicyText.parse("f", "max_reservation 0\nparams MONITOR=1\n").explain();
    assertEquals(
        "max_reservation = 0 (as usual): How many waiting jobs with -R y are promised a start in one"
            + " run.",
        lines.get(0));
    assertTrue(
        lines.contains("MONITOR = 1: Whether each run adds a section to the file schedule."));
  }

  @Test
  void anUnknownTextIsTakenForTheSchedulers() {
    assertEquals(
        "f:1: 'max_reservatoin' is no option of the scheduler (nearest: max_reservation)",
        assertThrows(ConfigurationRefused.class, () -> PolicyText.parse("f", "max_reservatoin 3\n"))
            .getMessage());
  }

  @Test
  void suspensionByLoadIsRefusedAndSaidToDoNothing() {
    assertEquals(
        "f:2: suspend_thresholds is np_load_avg=1.75, but Millrace only knows NONE, then exceptions"
            + " [HOST=...] or [@GROUP=...], each once, where it differs",
        assertThrows(
                ConfigurationRefused.class,
                () -> PolicyText.parse("f", "qname q\nsuspend_thresholds np_load_avg=1.75\n"))
            .getMessage());
    List<String> lines =
        PolicyText.parse("f", "qname q\nsuspend_thresholds NONE\nnsuspend 3\n").explain();
    assertTrue(
        lines.contains("    Only NONE is accepted: no job is suspended for its host's load here."));
    assertEquals(
        "    Nothing: suspend_thresholds is NONE, so no load suspends a job.",
        lines.get(lines.size() - 1));
  }

  private static String refusal(String text) {
    return assertThrows(ConfigurationRefused.class, () -> PolicyText.parse("f", text)).getMessage();
  }

  @Test
  void theKindIsRecognisedWhateverIsWrongInIt() {
    assertEquals(
        "f:1: an attribute has 8 columns (name, shortcut, type, relop, requestable, consumable,"
            + " default, urgency), this line has 7",
        refusal("slots s INT <= YES YES 1\nmem m MEMORY <= YES NO 0 0\n"));
    assertEquals(
        "f:1: 'qnam' is no option of a cluster queue (nearest: qname)",
        refusal("qnam all.q\nslots 4\nseq_no 1\n"));
    assertEquals("f: the line 'qname' is missing", refusal("slots 4\nseq_no 1\n"));
    assertEquals("f: there is no option in it", refusal("# nothing\n"));
  }

  @Test
  void anAccessList() {
    String text = "name staff\ntype ACL\nfshare 0\noticket 0\nentries %s\n";
    assertEquals(
        "an access list, 5 options set, all valid",
        PolicyText.parse("f", text.formatted("ann,bob")).summary());
    assertEquals(
        "f:5: entries is 'ann,@staff', but must be NONE or a list of users; Unix groups (@NAME) are"
            + " not looked up here",
        refusal(text.formatted("ann,@staff")));
    assertEquals(
        "f:1: 'entrys' is no option of an access list (nearest: entries)",
        refusal("entrys ann\nname staff\n"));
  }

  /** Files of a cell, one of them with the given text. */
  private static Map<String, String> cell(String name, String text) {
    Map<String, String> files = new TreeMap<>();
    files.put(
        "complex",
        "slots s INT <= YES YES 1 1000\nlicense lic INT <= YES YES 0 0\n"
            + "np_load_avg nla DOUBLE >= NO NO 0 0\narch a STRING == YES NO NONE 0\n");
    files.put("sched", "max_reservation 3\nload_formula np_load_avg\n");
    files.put("hgrp", "group_name @all\nhostlist node01 node02\n");
    files.put("queue.all.q", "qname all.q\nhostlist @all\nslots 2,[node01=4]\npe_list mpi\n");
    files.put("pe.mpi", "pe_name mpi\nslots 9\nuser_lists staff\n");
    files.put("acl.staff", "name staff\nentries ann\n");
    files.put(name, text);
    return files;
  }

  private static String refusedTogether(String name, String text) {
    return assertThrows(ConfigurationRefused.class, () -> PolicyText.together(cell(name, text)))
        .getMessage();
  }

  @Test
  void filesAreHeldAgainstEachOther() {
    PolicyText policy = PolicyText.together(cell("host.node01", "hostname node01\n"));
    assertEquals("7 files, 2 queue instances, all valid together", policy.summary());
    assertTrue(
        policy
            .explain()
            .contains(
                "  max_reservation = 3: How many waiting jobs with -R y"
                    + " are promised a start in one run."));
  }

  @Test
  void namesThatNoOtherFileKnows() {
    String queue = "qname all.q\nhostlist @all\n";
    String q = "queue.all.q";
    String noAttribute = ", which is no attribute of the complex (nearest: ";
    assertEquals(
        q + ":2: hostlist names @al, which is no host group (nearest: @all)",
        refusedTogether(q, "qname all.q\nhostlist @al\n"));
    assertEquals(
        q + ":3: slots has an exception for @big, which is no host group",
        refusedTogether(q, queue + "slots 2,[@big=4]\n"));
    assertEquals(
        q
            + ":3: slots has an exception for nod01, a host that no other text names (nearest: node01)",
        refusedTogether(q, queue + "slots 2,[nod01=4]\n"));
    assertEquals(
        q + ":3: pe_list names mpy, of which there is no pe.mpy (nearest: mpi)",
        refusedTogether(q, queue + "pe_list NONE,[node01=mpy]\n"));
    assertEquals(
        q + ":3: xuser_lists names stuff, of which there is no acl.stuff (nearest: staff)",
        refusedTogether(q, queue + "xuser_lists stuff\n"));
    assertEquals(
        q + ":3: complex_values names lc" + noAttribute + "license)",
        refusedTogether(q, queue + "complex_values lc=2\n"));
    assertEquals(
        q + ":3: load_thresholds names np_load" + noAttribute + "np_load_avg)",
        refusedTogether(q, queue + "load_thresholds NONE,[node02=np_load=1.75]\n"));
    assertEquals(
        "pe.mpi:3: user_lists names stuff, of which there is no acl.stuff (nearest: staff)",
        refusedTogether("pe.mpi", "pe_name mpi\nslots 9\nuser_lists stuff\n"));
    assertEquals(
        "hgrp:2: hostlist contains the group @all itself",
        refusedTogether("hgrp", "group_name @all\nhostlist node01 @all\n"));
    assertEquals(
        "sched:1: load_formula names np_load" + noAttribute + "np_load_avg)",
        refusedTogether("sched", "load_formula np_load\n"));
    assertEquals(
        "sched:1: job_load_adjustments names nla_avg" + noAttribute + "np_load_avg)",
        refusedTogether("sched", "job_load_adjustments nla_avg=0.5\n"));
  }

  @Test
  void anObjectHasTheNameOfItsFile() {
    assertEquals(
        "queue.all.q:1: qname is ll.q, but the file is queue.all.q",
        refusedTogether("queue.all.q", "qname ll.q\nhostlist @all\n"));
    assertEquals(
        "host.node01:1: hostname is node1, but the file is host.node01",
        refusedTogether("host.node01", "hostname node1\n"));
    PolicyText.together(cell("host.node01", "hostname node01.example.com\n"));
  }

  @Test
  void valuesOfTheWrongType() {
    String queue = "qname all.q\nhostlist @all\n";
    String q = "queue.all.q";
    assertEquals(
        q + ":3: load_thresholds has np_load_avg=high, which is not a double value",
        refusedTogether(q, queue + "load_thresholds np_load_avg=high\n"));
    assertEquals(
        q + ":3: load_thresholds names arch, which is no number",
        refusedTogether(q, queue + "load_thresholds arch=x\n"));
    assertEquals(
        q + ":3: complex_values names license twice",
        refusedTogether(q, queue + "complex_values license=1,lic=2\n"));
    assertEquals(
        q + ":3: complex_values has license=-1, which is below 0",
        refusedTogether(q, queue + "complex_values license=-1\n"));
    assertEquals(
        q + ":3: complex_values names slots, of which a queue has a line of its own",
        refusedTogether(q, queue + "complex_values slots=4\n"));
    assertEquals(
        "sched:1: load_formula names arch, which is no number",
        refusedTogether("sched", "load_formula 2*1+arch\n"));
    assertEquals(
        "sched:1: job_load_adjustments has np_load_avg=x, which is not a double value",
        refusedTogether("sched", "job_load_adjustments np_load_avg=x\n"));
    assertEquals(
        "host.node01:2: load_scaling names arch, which is no number",
        refusedTogether("host.node01", "hostname node01\nload_scaling arch=2\n"));
    assertEquals(
        "host.node01:2: load_values has np_load_avg=x, which is not a double value",
        refusedTogether("host.node01", "hostname node01\nload_values np_load_avg=x,foo=y\n"));
  }
}
