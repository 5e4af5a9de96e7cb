/* Head of the AppImage: unpacks what stands behind it into the user's cache, once a build, and starts it there.

   An AppImage of type 2 is a program with a squashfs image behind its last section. The usual head mounts that image,
   which needs FUSE on the machine; this one reads it by libsquashfuse and needs nothing. What it unpacked lies in
   $XDG_CACHE_HOME/gpuplanner/appimage-ID (or ~/.cache), where ID is of the image; it may be deleted at any time.

   --appimage-version, --appimage-offset, --appimage-extract (into squashfs-root here) are answered by it; everything
   else goes to AppRun with APPIMAGE, APPDIR and ARGV0 set. Exit status 127: it could not start, and has said why. */

#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <squashfuse/squashfuse.h>

#ifndef RELEASE
#error "RELEASE: the version of gpuplanner"
#endif

static char own_path[PATH_MAX], half[PATH_MAX];

static int removed(const char *path, const struct stat *found, int kind, struct FTW *at) {
    (void)found, (void)kind, (void)at;
    return remove(path);
}

/* libsquashfuse asks for LZO, whose licence is not ours to carry; our image is packed by zstd. */
int lzo1x_decompress_safe(void);
int lzo1x_decompress_safe(void) {
    return -1;
}

static void stop(const char *what, ...) {
    va_list values;
    va_start(values, what);
    fprintf(stderr, "gpuplanner: ");
    vfprintf(stderr, what, values);
    fprintf(stderr, "\n");
    va_end(values);
    if (half[0]) nftw(half, removed, 16, FTW_DEPTH | FTW_PHYS);
    exit(127);
}

static void *or_stop(void *memory) {
    if (memory == NULL) stop("no memory left to unpack %s", own_path);
    return memory;
}

static char *joined(const char *folder, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0) or_stop(NULL);
    return path;
}

/* Where the program ends and its image begins. */
static size_t image_offset(int file) {
    Elf64_Ehdr head;
    Elf64_Shdr last;
    if (pread(file, &head, sizeof head, 0) != sizeof head) stop("%s cannot be read", own_path);
    size_t headings_end = head.e_shoff + (size_t)head.e_shentsize * head.e_shnum;
    off_t of_last = (off_t)(head.e_shoff + (size_t)head.e_shentsize * (head.e_shnum - 1));
    if (pread(file, &last, sizeof last, of_last) != sizeof last) stop("%s cannot be read", own_path);
    size_t section_end = last.sh_offset + last.sh_size;
    return section_end > headings_end ? section_end : headings_end;
}

/* FNV-1a over the head of the image, which holds when it was made, its size and where its tables lie. */
static unsigned long long image_id(int file, size_t offset) {
    unsigned char head[96];
    if (pread(file, head, sizeof head, (off_t)offset) != sizeof head) stop("%s is cut off; fetch it again", own_path);
    unsigned long long id = 14695981039346656037ULL;
    for (size_t at = 0; at < sizeof head; at++) id = (id ^ head[at]) * 1099511628211ULL;
    return id;
}

static void write_file(sqfs *image, sqfs_inode *inode, const char *path) {
    static char block[1 << 20];
    int out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, inode->base.mode & 0777);
    if (out < 0) stop("cannot write %s: %s", path, strerror(errno));
    for (sqfs_off_t at = 0; at < (sqfs_off_t)inode->xtra.reg.file_size;) {
        sqfs_off_t length = sizeof block;
        if (sqfs_read_range(image, inode, at, &length, block) || length <= 0)
            stop("%s is damaged; fetch it again", own_path);
        for (sqfs_off_t written = 0; written < length;) {
            ssize_t now = write(out, block + written, (size_t)(length - written));
            if (now < 0) stop("cannot write %s: %s", path, strerror(errno));
            written += now;
        }
        at += length;
    }
    if (close(out)) stop("cannot write %s: %s", path, strerror(errno));
}

static void write_link(sqfs *image, sqfs_inode *inode, const char *path) {
    size_t size = 0;
    if (sqfs_readlink(image, inode, NULL, &size)) stop("%s is damaged; fetch it again", own_path);
    char *target = or_stop(malloc(size));
    if (sqfs_readlink(image, inode, target, &size)) stop("%s is damaged; fetch it again", own_path);
    if (symlink(target, path)) stop("cannot write %s: %s", path, strerror(errno));
    free(target);
}

static void unpack(size_t offset, const char *folder) {
    sqfs image;
    sqfs_traverse walk;
    sqfs_err failed = SQFS_OK;
    if (sqfs_open_image(&image, own_path, offset)) stop("%s is damaged; fetch it again", own_path);
    if (sqfs_traverse_open(&walk, &image, sqfs_inode_root(&image))) stop("%s is damaged; fetch it again", own_path);
    while (sqfs_traverse_next(&walk, &failed)) {
        if (walk.dir_end) continue;
        sqfs_inode inode;
        if (sqfs_inode_get(&image, &inode, sqfs_dentry_inode(&walk.entry)))
            stop("%s is damaged; fetch it again", own_path);
        char *path = joined(folder, walk.path);
        if (S_ISDIR(inode.base.mode)) {
            if (mkdir(path, 0755)) stop("cannot write %s: %s", path, strerror(errno));
        } else if (S_ISREG(inode.base.mode)) {
            write_file(&image, &inode, path);
        } else if (S_ISLNK(inode.base.mode)) {
            write_link(&image, &inode, path);
        }
        free(path);
    }
    if (failed) stop("%s is damaged; fetch it again", own_path);
    sqfs_traverse_close(&walk);
    sqfs_destroy(&image);
}

/* A folder that is ours alone: what others may write to is not started from. */
static void private_folder(const char *path) {
    struct stat found;
    if (mkdir(path, 0700) && errno != EEXIST) stop("cannot make %s: %s", path, strerror(errno));
    if (lstat(path, &found) || !S_ISDIR(found.st_mode) || found.st_uid != geteuid() || (found.st_mode & 022))
        stop("%s is not yours alone; set XDG_CACHE_HOME to a folder that is", path);
}

/* The unpacked program. It is made under another name and renamed when whole, so that none is ever started half. */
static char *unpacked(size_t offset, unsigned long long id) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char name[64];
    if (cache == NULL || cache[0] != '/') {
        if (home == NULL || home[0] != '/') stop("HOME is not set, so there is nowhere to unpack to");
        cache = joined(home, ".cache");
    }
    if (mkdir(cache, 0700) && errno != EEXIST) stop("cannot make %s: %s", cache, strerror(errno));
    char *ours = joined(cache, "gpuplanner");
    private_folder(ours);
    snprintf(name, sizeof name, "appimage-%016llx", id);
    char *folder = joined(ours, name);
    if (access(folder, F_OK)) {
        snprintf(half, sizeof half, "%s/unpacking-XXXXXX", ours);
        if (mkdtemp(half) == NULL) stop("cannot make a folder in %s: %s", ours, strerror(errno));
        unpack(offset, half);
        if (rename(half, folder) && access(folder, F_OK)) stop("cannot make %s: %s", folder, strerror(errno));
        half[0] = 0;
    }
    private_folder(folder);
    return folder;
}

int main(int count, char **words) {
    const char *asked = count > 1 ? words[1] : "";
    ssize_t length = readlink("/proc/self/exe", own_path, sizeof own_path - 1);
    if (length < 0) stop("/proc is not there, so it cannot find itself");
    if (!strcmp(asked, "--appimage-version")) return puts("gpuplanner " RELEASE) < 0;
    int file = open(own_path, O_RDONLY | O_CLOEXEC);
    if (file < 0) stop("%s cannot be read: %s", own_path, strerror(errno));
    size_t offset = image_offset(file);
    if (!strcmp(asked, "--appimage-offset")) return printf("%zu\n", offset) < 0;
    if (!strcmp(asked, "--appimage-extract")) {
        if (mkdir("squashfs-root", 0755)) stop("cannot make squashfs-root: %s", strerror(errno));
        unpack(offset, "squashfs-root");
        return 0;
    }
    char *folder = unpacked(offset, image_id(file, offset));
    close(file);
    setenv("APPIMAGE", own_path, 1);
    setenv("APPDIR", folder, 1);
    setenv("ARGV0", words[0], 1);
    words[0] = joined(folder, "AppRun");
    execv(words[0], words);
    stop("cannot start %s: %s", words[0], strerror(errno));
}
