import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies a jar as it is in an image: without native libraries of other platforms than this one,
 * which is Linux with glibc; they are 200 MB for RocksDB alone. Those that stay are written to a
 * folder as well, so that what they need can be looked up. Nothing is compressed: a layer is, as a
 * whole, and that takes a quarter less than each class by itself. Classes of others are without the
 * names of their local variables, which debuggers and the messages of NullPointerExceptions show;
 * lines stay, for stack traces.
 */
final class OnePlatform {
  private static final Pattern NATIVE = Pattern.compile("(?i).*\\.(so|dll|dylib|jnilib|a)");

  /** As RocksDB, and as the libraries for compression, say it. */
  private static final Map<String, List<String>> HERE =
      Map.of(
          "amd64", List.of("linux64.so", "linux/amd64/", "linux/x86_64/", "linux_x86_64", "epoll_x86_64"),
          "aarch64", List.of("linux-aarch64.so", "linux/aarch64/", "linux_aarch_64", "epoll_aarch_64"));

  private static final Pattern OURS = Pattern.compile("io/hdrsidecar/.*");

  private static final ClassFile WITHOUT_VARIABLES =
      ClassFile.of(ClassFile.DebugElementsOption.DROP_DEBUG);

  private OnePlatform() {}

  public static void main(String[] args) throws IOException {
    List<String> here = HERE.get(System.getProperty("os.arch"));
    if (here == null) {
      throw new IllegalArgumentException("no image for " + System.getProperty("os.arch") + ": only for " + HERE.keySet());
    }
    Path folder = Files.createDirectories(Path.of(args[2]));
    try (ZipFile jar = new ZipFile(args[0]);
        OutputStream file = Files.newOutputStream(Path.of(args[1]));
        ZipOutputStream out = new ZipOutputStream(file)) {
      for (ZipEntry entry : Collections.list(jar.entries())) {
        boolean isNative = NATIVE.matcher(entry.getName()).matches();
        if (isNative && here.stream().noneMatch(entry.getName().toLowerCase()::contains)) {
          continue;
        }
        byte[] content = content(jar, entry);
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTime(entry.getTime());
        copy.setMethod(ZipEntry.STORED);
        copy.setSize(content.length);
        copy.setCrc(crc(content));
        out.putNextEntry(copy);
        out.write(content);
        out.closeEntry();
        if (isNative) {
          Files.write(folder.resolve(Path.of(entry.getName()).getFileName()), content);
        }
      }
    }
  }

  private static byte[] content(ZipFile jar, ZipEntry entry) throws IOException {
    try (InputStream in = jar.getInputStream(entry)) {
      byte[] content = in.readAllBytes();
      return !entry.getName().endsWith(".class") || OURS.matcher(entry.getName()).matches()
          ? content
          : WITHOUT_VARIABLES.transformClass(
              WITHOUT_VARIABLES.parse(content), ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL));
    }
  }

  private static long crc(byte[] content) {
    CRC32 crc = new CRC32();
    crc.update(content);
    return crc.getValue();
  }
}
