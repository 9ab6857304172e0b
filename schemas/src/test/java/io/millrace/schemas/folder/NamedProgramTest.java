package io.millrace.schemas.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that others could change is not asked what there is of a resource. */
class NamedProgramTest {

  @TempDir private Path temporary;
  private Path home;
  private Path program;

  @BeforeEach
  void program() throws IOException {
    home = temporary.toRealPath();
    mode(home, "rwxr-xr-x");
    program = Files.writeString(home.resolve("free"), "#!/bin/sh\necho 1\n");
    mode(program, "rwxr-xr-x");
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static void refused(String part, Path program) {
    refused(part, program.toString());
  }

  private static void refused(String part, String program) {
    Optional<String> why = NamedProgram.refuse(program);
    assertTrue(why.isPresent() && why.get().contains(part), part + ": " + why);
  }

  @Test
  void oneThatIsOursAloneIsRun() throws IOException {
    assertEquals(Optional.empty(), NamedProgram.refuse(program.toString()));
    mode(program, "r-x--x--x");
    assertEquals(Optional.empty(), NamedProgram.refuse(program.toString()));
  }

  @Test
  void oneThatOthersMayWriteIsNot() throws IOException {
    mode(program, "rwxrwxr-x");
    refused("may be written by others", program);
    mode(program, "rwxr-xrwx");
    refused("may be written by others", program);
  }

  @Test
  void oneBelowAFolderThatOthersMayWriteIsNot() throws IOException {
    Path folder = Files.createDirectories(home.resolve("above/below"));
    Path inside = Files.copy(program, folder.resolve("free"));
    mode(inside, "rwxr-xr-x");
    mode(folder, "rwxr-xr-x");
    mode(folder.getParent(), "rwxrwxr-x");
    refused("is below " + folder.getParent(), inside);
    mode(folder.getParent(), "rwxr-xr-x");
    assertEquals(Optional.empty(), NamedProgram.refuse(inside.toString()));
    mode(folder, "rwxr-xrwx");
    refused("is below " + folder, inside);
  }

  @Test
  void linksAreNone() throws IOException {
    refused("symbolic link", Files.createSymbolicLink(home.resolve("link"), program));
    Path real = Files.createDirectory(home.resolve("real"));
    Files.move(program, real.resolve("free"));
    Path folder = Files.createSymbolicLink(home.resolve("folder"), real);
    refused("which is no folder", folder.resolve("free"));
  }

  @Test
  void bitsThatGiveRightsAreRefused() throws IOException {
    for (int bit : new int[] {04000, 02000}) {
      Files.setAttribute(program, "unix:mode", 0100755 | bit);
      refused("set-user-id", program);
    }
  }

  @Test
  void anotherAccountsIsNot() throws IOException {
    if (NamedFolder.self() != 0) {
      Assumptions.abort("needs root, who alone can give a file away");
    }
    Files.setAttribute(program, "unix:uid", 65534);
    refused("belongs to another account", program);
    Files.setAttribute(program, "unix:uid", 0);
    Files.setAttribute(home, "unix:uid", 65534);
    refused("which another account may change", program);
  }

  @Test
  void whatIsNoProgram() throws IOException {
    refused("is no absolute path", "free");
    refused("is no absolute path", "");
    refused("is no absolute path", home + "/a/../free");
    refused("is no path", "/a\0b");
    refused("is not there", home.resolve("absent"));
    refused("which is no folder", home.resolve("absent/free"));
    refused("no file", home);
    mode(program, "rw-r--r--");
    refused("cannot be executed", program);
    Files.delete(program);
    refused("is not there", program);
  }
}
