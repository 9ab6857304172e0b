package io.millrace.schemas.pbs.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts and codes recorded from a real OpenPBS 23.06; the exit status is the code mod 256. */
class RequestParserGoldenTest {

  private final RequestParser parser = new RequestParser(ResourceTable.standard());

  private static List<Attribute> list(String text) {
    List<Attribute> list = new ArrayList<>();
    for (String word : text.isEmpty() ? new String[0] : text.split(" ")) {
      int equals = word.indexOf('=');
      list.add(new Attribute(word.substring(0, equals), word.substring(equals + 1)));
    }
    return list;
  }

  private static String shown(ParsedRequest parsed) {
    return parsed.resourceList().stream()
        .map(it -> it.getName() + "=" + it.getValue())
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|ncpus=1 nodect=1 place=pack select=1:ncpus=1",
        "ncpus=1 walltime=00:10:00|ncpus=1 nodect=1 place=pack select=1:ncpus=1 walltime=00:10:00",
        "select=1:ncpus=1|ncpus=1 nodect=1 place=free select=1:ncpus=1",
        "select=2:ncpus=2:mem=100mb place=scatter walltime=01:00:00"
            + "|mem=200mb ncpus=4 nodect=2 place=scatter select=2:ncpus=2:mem=100mb walltime=01:00:00",
        "nodes=1:ppn=2 walltime=100|mpiprocs=2 ncpus=2 nodect=1 nodes=1:ppn=2 place=scatter"
            + " select=1:ncpus=2:mpiprocs=2 walltime=00:01:40",
        "ncpus=2 mem=100mb walltime=100"
            + "|mem=100mb ncpus=2 nodect=1 place=pack select=1:mem=100mb:ncpus=2 walltime=00:01:40",
        "select=1:ncpus=1:vnode=vm[7]|ncpus=1 nodect=1 place=free select=1:ncpus=1:vnode=vm[7]",
        "select=1:ncpus=0|ncpus=0 nodect=1 place=free select=1:ncpus=0",
        "software=x software=y|ncpus=1 nodect=1 place=pack select=1:ncpus=1 software=y",
        "select=1:ncpus=1 place=excl|ncpus=1 nodect=1 place=excl select=1:ncpus=1"
      })
  void showsTheRequestAsPbsDoes(String given, String expected) throws RequestException {
    assertEquals(expected, shown(parser.parse(list(given))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nodes=4:ppn=8 mem=64gb|4:ncpus=8:mem=16777216KB:mpiprocs=8|mem=64gb|scatter",
        "nodes=3 mem=10gb|3:ncpus=1:mem=3495253KB|mem=10485759kb|scatter",
        "nodes=2:ppn=4:ncpus=2|2:ncpus=8:mpiprocs=4|ncpus=16|scatter",
        "nodes=2:PPN=4:cpp=2|2:ncpus=8:mpiprocs=4|ncpus=16|scatter",
        "nodes=2 ncpus=8|2:ncpus=4|ncpus=8|scatter",
        "nodes=2:ppn=2+1:ppn=4 ncpus=16|2:ncpus=4:mpiprocs=2+1:ncpus=8:mpiprocs=4|ncpus=16|scatter",
        "nodes=2:cpp=4 ncpus=8|2:ncpus=4|ncpus=8|scatter",
        "nodes=2:ppn=4#excl|2:ncpus=4:mpiprocs=4|ncpus=8|scatter:excl",
        "nodes=2#shared|2:ncpus=1|ncpus=2|scatter:shared",
        "nodes=2+3#accelerator#excl|2:ncpus=1:accelerator=True+3:ncpus=1:accelerator=True|ncpus=5"
            + "|scatter:excl",
        "nodes=2#ppn=3|2:ncpus=3:mpiprocs=3|ncpus=6|scatter",
        "nodes=accelerator:ppn=2|1:ncpus=2:accelerator=True:mpiprocs=2|ncpus=2|scatter",
        "nodes=n1:ppn=2+n1|1:ncpus=2:host=n1:mpiprocs=2+1:ncpus=1:host=n1|ncpus=3|scatter",
        "nodes=1:ppn=1:n1|1:ncpus=1:host=n1|ncpus=1|scatter"
      })
  void nodesBecomeASelectAsInPbs(String given, String select, String sum, String place)
      throws RequestException {
    RequestParser withNode =
        new RequestParser(ResourceTable.standard(), Map.of(), name -> name.equals("n1"));
    List<String> shown = List.of(shown(withNode.parse(list(given))).split(" "));
    assertTrue(shown.contains("select=" + select), shown.toString());
    assertTrue(shown.contains(sum), shown.toString());
    assertTrue(shown.contains("place=" + place), shown.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nodes=2 ncpus=3|166|Illegal attribute or resource value",
        "nodes=2:cpp=2 ncpus=8|166|Illegal attribute or resource value",
        "nodes=999999999:ppn=999999999:cpp=999999999 ncpus=1|166"
            + "|Illegal attribute or resource value Resource_List.nodes",
        "nodes=nosuch:ppn=2|187|Unknown resource: nosuch",
        "nodes=2:ppn=0|166|Illegal attribute or resource value Resource_List.nodes",
        "nodes=vm[7]|166|Illegal attribute or resource value Resource_List.nodes",
        "select=1:ncpus=1 ncpus=1|5|\"-lresource=\" cannot be used with \"select\" or \"place\","
            + " resource is: ncpus",
        "select=1:ncpus=abc|166|Illegal attribute or resource value select.ncpus",
        "select=1:nosuchres=1|187|Unknown resource: nosuchres",
        "nosuchres=1|187|Unknown resource Resource_List.nosuchres",
        "walltime=abc|166|Illegal attribute or resource value Resource_List.walltime",
        "walltime=-5|166|Illegal attribute or resource value Resource_List.walltime",
        "mem=5qq|166|Illegal attribute or resource value Resource_List.mem",
        "nodes=2:ppn=1:nosuch|187|Unknown resource: nosuch",
        "nodes=0|241|node(s) specification error",
        "select=0:ncpus=1|166|Illegal attribute or resource value",
        "select=|166|Illegal attribute or resource value Resource_List.select",
        "select=1 place=bogus|166|Illegal attribute or resource value Resource_List.place",
        "select=1 place=group=nosuch|166|Illegal attribute or resource value Resource_List.place",
        "select=20000:ncpus=1|166|Illegal attribute or resource value Resource_List.select",
        "ncpus=-1|166|Illegal attribute or resource value Resource_List.ncpus"
      })
  void refusesAsPbsDoes(String given, int exit, String text) {
    RequestException refused =
        assertThrows(RequestException.class, () -> parser.parse(list(given)));
    assertEquals(text, refused.getMessage());
    assertEquals(exit, refused.code() % 256);
  }

  @Test
  void noJobAsksOnceForLessThanNothing() throws RequestException {
    List<Attribute> type = List.of(new Attribute("type", "long"));
    ClusterObject seats = new ClusterObject(ObjectKind.RESOURCE, "seats", 1L, type, 1L);
    RequestParser custom = new RequestParser(ResourceTable.of(List.of(seats)));
    assertEquals(Map.of("seats", 2L), custom.parse(list("seats=2")).request().getJobWide());
    RequestException refused =
        assertThrows(RequestException.class, () -> custom.parse(list("seats=-2")));
    assertEquals("Illegal attribute or resource value Resource_List.seats", refused.getMessage());
  }

  @Test
  void sumsStayWithinTheRange() {
    assertEquals(5, Amounts.sum(2, 3));
    assertEquals(Long.MAX_VALUE, Amounts.sum(Long.MAX_VALUE, 1));
    assertEquals(Long.MIN_VALUE, Amounts.sum(Long.MIN_VALUE, -1));
    assertEquals(Long.MAX_VALUE - 1, Amounts.sum(Long.MAX_VALUE, -1));
  }

  @Test
  void bogusPlaceAloneIsRefusedForItsWord() {
    RequestException refused =
        assertThrows(RequestException.class, () -> parser.parse(list("place=bogus")));
    assertEquals("Illegal attribute or resource value Resource_List.place", refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "walltime=100|walltime=200|ncpus=1 nodect=1 place=pack select=1:ncpus=1 walltime=00:03:20",
        "walltime=100|select=1:ncpus=2"
            + "|ncpus=2 nodect=1 place=free select=1:ncpus=2 walltime=00:01:40",
        "ncpus=2 mem=1gb|ncpus=3|mem=1gb ncpus=3 nodect=1 place=pack select=1:mem=1gb:ncpus=3",
        "select=2:ncpus=2|place=scatter|ncpus=4 nodect=2 place=scatter select=2:ncpus=2",
        "nodes=1:ppn=2|walltime=60|mpiprocs=2 ncpus=2 nodect=1 nodes=1:ppn=2 place=scatter"
            + " select=1:ncpus=2:mpiprocs=2 walltime=00:01:00"
      })
  void altersWhatIsNamedAndKeepsTheRest(String before, String change, String after)
      throws RequestException {
    List<Attribute> current = parser.parse(list(before)).resourceList();
    assertEquals(after, shown(parser.alter(current, list(change))));
  }

  @Test
  void aJobWideAmountCannotAlterASelectOfSeveralChunks() throws RequestException {
    List<Attribute> current = parser.parse(list("select=2:ncpus=2")).resourceList();
    RequestException refused =
        assertThrows(RequestException.class, () -> parser.alter(current, list("ncpus=3")));
    assertEquals(PbsError.NOT_BESIDE_SELECT.code(), refused.code());
  }
}
