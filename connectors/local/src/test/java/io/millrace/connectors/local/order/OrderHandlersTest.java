package io.millrace.connectors.local.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.Topics;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.output.Reply;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Each order has somebody who carries it out, and nobody keeps a list of them. */
class OrderHandlersTest {
  private final OrderContext desk =
      new OrderContext(
          new OrderContext.Here(HostKey.of("n1", "0".repeat(64)), null),
          new OrderContext.Ways(null, null, null, null, null, null),
          () -> {});

  @Test
  void everyOrderIsCarriedOut() throws ReflectiveOperationException {
    OrderHandlers handlers = new OrderHandlers(desk);
    List<Catalogue.CatalogueEntry> orders =
        Catalogue.get().of(Catalogue.RecordKind.OUTPUT).stream()
            .filter(record -> record.topic().equals(Topics.DISPATCH))
            .toList();
    assertEquals(7, orders.size());
    for (Catalogue.CatalogueEntry order : orders) {
      SpecificRecord record = order.type().getDeclaredConstructor().newInstance();
      assertTrue(handlers.knows(record), order.simpleName());
      assertNotNull(order.schema().getField("host"), order.simpleName());
    }
    assertFalse(handlers.knows(new Reply()));
  }

  @Test
  void anOrderOfASubjectThatIsNotThereFailsTheStart() {
    for (String subject : List.of("", "nobodys", "end")) {
      Catalogue.CatalogueEntry planted =
          new Catalogue.CatalogueEntry(
              AskHost.SCHEMA$.getFullName(),
              AskHost.SCHEMA$,
              Catalogue.RecordKind.OUTPUT,
              "",
              subject,
              "",
              Topics.DISPATCH);
      String why =
          assertThrows(IllegalStateException.class, () -> new OrderHandlers(desk, List.of(planted)))
              .getMessage();
      assertTrue(why.startsWith("order AskHost: "), why);
    }
  }
}
