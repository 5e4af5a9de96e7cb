; Installer for Windows, by Inno Setup 6:  iscc /DVersion=0.1.0 packaging\windows\gpuplanner.iss
; It packs dist\gpuplanner, which `python packaging\build.py freeze` made on this machine.
; Signed where a certificate is given: /DSign=1 with a sign tool named `signing` set up in Inno Setup, as in
;   iscc "/Ssigning=signtool sign /fd SHA256 /tr http://timestamp.digicert.com /td SHA256 /f $qCERT.pfx$q $f" /DSign=1 ...
#ifndef Version
  #error Say which version: iscc /DVersion=0.1.0 packaging\windows\gpuplanner.iss
#endif

[Setup]
AppId={{6E1B7C55-1B0C-4F41-9C52-6E6C7F0B5C11}
AppName=gpuplanner
AppVersion={#Version}
AppPublisher=gpuplanner maintainers
DefaultDirName={autopf}\gpuplanner
DefaultGroupName=gpuplanner
DisableProgramGroupPage=yes
; Into the user's own folder, without rights of an administrator; whoever has them may choose all users.
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
ChangesAssociations=yes
ChangesEnvironment=yes
LicenseFile=..\..\LICENSE
SetupIconFile=..\..\build\icons\gpuplanner.ico
UninstallDisplayIcon={app}\gpuplannerw.exe
OutputDir=..\..\dist
OutputBaseFilename=gpuplanner-{#Version}-windows-x64
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern
#ifdef Sign
SignTool=signing
SignedUninstaller=yes
#endif

[Tasks]
Name: desktopicon; Description: "A sign on the desktop"; Flags: unchecked
Name: path; Description: "gpuplanner on the command line (PATH)"; Flags: unchecked

[InstallDelete]
; What an earlier version brought and this one does not; data of the user never lies here.
Type: filesandordirs; Name: "{app}\_internal"
Type: filesandordirs; Name: "{app}\licences"

[Files]
Source: "..\..\dist\gpuplanner\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{group}\gpuplanner"; Filename: "{app}\gpuplannerw.exe"
Name: "{autodesktop}\gpuplanner"; Filename: "{app}\gpuplannerw.exe"; Tasks: desktopicon

[Registry]
Root: HKA; Subkey: "Software\Classes\.gpuplan"; ValueType: string; ValueData: "gpuplanner.project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.gpuplan"; ValueType: string; ValueName: "Content Type"; ValueData: "application/vnd.gpuplanner.project+sqlite3"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\gpuplanner.project"; ValueType: string; ValueData: "GPU capacity plan"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\gpuplanner.project\DefaultIcon"; ValueType: string; ValueData: "{app}\gpuplannerw.exe,0"
Root: HKA; Subkey: "Software\Classes\gpuplanner.project\shell\open\command"; ValueType: string; ValueData: """{app}\gpuplannerw.exe"" ""%1"""
; Only what is not there yet is added, and the uninstaller leaves PATH as it then is.
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: IsNotInPath

[Run]
Filename: "{app}\gpuplannerw.exe"; Description: "Open gpuplanner"; Flags: nowait postinstall skipifsilent

[Code]
function IsNotInPath: Boolean;
var
  Said: String;
begin
  if not RegQueryStringValue(HKEY_CURRENT_USER, 'Environment', 'Path', Said) then
    Said := '';
  Result := Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(Said) + ';') = 0;
end;
