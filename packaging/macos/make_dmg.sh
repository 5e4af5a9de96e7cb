#!/bin/sh
# dist/gpuplanner.app, which `python3 packaging/build.py freeze` made on this Mac, as a disk image.
#   packaging/macos/make_dmg.sh VERSION
# Signed and notarised where these are set, else signed for this machine alone, and it says so:
#   SIGN_AS         "Developer ID Application: NAME (TEAM)", in the keychain
#   NOTARY_PROFILE  a profile that `xcrun notarytool store-credentials` keeps
set -eu
version=${1:?say which version: make_dmg.sh 0.1.0}
cd "$(dirname "$0")/../.."
app=dist/gpuplanner.app image=dist/gpuplanner-$version-macos-$(uname -m).dmg room=build/dmg
test -d "$app" || { echo "make_dmg.sh: no $app; run python3 packaging/build.py freeze first" >&2; exit 3; }

if [ -n "${SIGN_AS:-}" ]; then
    # What lies inside is signed before what it lies in.
    find "$app/Contents" -type f \( -name '*.so' -o -name '*.dylib' \) -print0 |
        xargs -0 codesign --force --timestamp --options runtime --sign "$SIGN_AS"
    find "$app/Contents/Frameworks" -type d -name '*.framework' -prune -print0 |
        xargs -0 codesign --force --timestamp --options runtime --sign "$SIGN_AS"
    codesign --force --timestamp --options runtime --entitlements packaging/macos/entitlements.plist \
        --sign "$SIGN_AS" "$app"
else
    echo "make_dmg.sh: SIGN_AS is not set: signed for this machine alone, others are warned when they open it" >&2
    codesign --force --deep --sign - "$app"
fi
codesign --verify --deep --strict "$app"
QT_QPA_PLATFORM=offscreen "$app/Contents/MacOS/gpuplanner" self-test

rm -rf "$room" "$image"
mkdir -p "$room"
cp -R "$app" "$room/"
ln -s /Applications "$room/Applications"
cp -R "$app/Contents/Resources/licences" "$room/Licences"
hdiutil create -volname gpuplanner -srcfolder "$room" -format UDZO -fs HFS+ "$image"

if [ -n "${SIGN_AS:-}" ]; then
    codesign --force --timestamp --sign "$SIGN_AS" "$image"
fi
if [ -n "${SIGN_AS:-}" ] && [ -n "${NOTARY_PROFILE:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
    spctl --assess --type open --context context:primary-signature --verbose "$image"
else
    echo "make_dmg.sh: not notarised: SIGN_AS and NOTARY_PROFILE are needed for it" >&2
fi
echo "$image"
