package io.millrace.server.gateway.plus;

import java.io.IOException;
import java.io.StringReader;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.xml.sax.SAXException;

/** Whether XML is of a schema. */
final class XmlCheck {

  private XmlCheck() {}

  /**
   * Checks it.
   *
   * @throws SAXException when it is not
   */
  static void validate(String xml, String schema) throws SAXException, IOException {
    SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
        .newSchema(new StreamSource(new StringReader(schema)))
        .newValidator()
        .validate(new StreamSource(new StringReader(xml)));
  }
}
