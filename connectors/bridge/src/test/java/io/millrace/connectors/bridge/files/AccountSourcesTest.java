package io.millrace.connectors.bridge.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What no account is found for has none only where no directory is asked. */
class AccountSourcesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true  | passwd: files systemd",
        "true  | passwd:\tfiles [NOTFOUND=return] # sss",
        "true  | group: files ldap",
        "true  | # passwd: ldap",
        "true  | passwd:",
        "false | passwd: files sss",
        "false | passwd: files [!UNAVAIL=return] ldap",
        "false |   passwd:   compat",
        "false | passwd: winbind files",
      })
  void whereAccountsAre(boolean local, String line) {
    assertEquals(local, AccountSources.areLocal("hosts: files dns\n" + line + "\n"));
  }
}
