Sub Carry(list As String)
 Dim sLine As String, nIn As Integer, nOut As Integer, told
 nIn = FreeFile
 Open list For Input As #nIn
 nOut = FreeFile
 Open list & ".said" For Output As #nOut
 Do While Not EOF(nIn)
  Line Input #nIn, sLine
  told = Split(sLine, Chr(9))
  If UBound(told) > 2 Then
   If told(2) = "try" Then
    Print #nOut, Tried(told)
   Else
    Print #nOut, Done(told)
   End If
  End If
 Loop
 Close #nIn
 Close #nOut
 StarDesktop.terminate()
End Sub

Function Tried(told) As String
 Dim hidden(0) As New com.sun.star.beans.PropertyValue
 Dim opened As Object, sheet As Object, cell As Object, wrong As Object, number As Integer, kept As String
 Dim said As String, at As Integer
 hidden(0).Name = "Hidden"
 hidden(0).Value = True
 opened = StarDesktop.loadComponentFromURL(ConvertToURL(told(0)), "_blank", 0, hidden())
 For number = 4 To UBound(told) - 2 Step 3
  cell = opened.Sheets.getByName(told(number)).getCellRangeByName(told(number + 1))
  kept = cell.getFormula()
  If IsNumeric(told(number + 2)) Then
   cell.setValue(CDbl(told(number + 2)))
  Else
   cell.setString(told(number + 2))
  End If
  said = said & told(number) & "!" & told(number + 1) & Chr(9)
  said = said & opened.Sheets.getByName("Method and checks").getCellRangeByName("B5").getString() & Chr(9)
  For at = 0 To opened.Sheets.getCount() - 1
   wrong = opened.Sheets.getByIndex(at).queryFormulaCells(4)
   If wrong.getCount() > 0 Then said = said & wrong.getRangeAddressesAsString() & ";"
  Next
  said = said & Chr(10)
  cell.setFormula(kept)
 Next
 opened.close(True)
 Tried = said
End Function

Function Done(told) As String
 Dim hidden(0) As New com.sun.star.beans.PropertyValue
 Dim save(0) As New com.sun.star.beans.PropertyValue
 Dim fields(0) As New com.sun.star.table.TableSortField
 Dim how(1) As New com.sun.star.beans.PropertyValue
 Dim opened As Object, sheet As Object, area As Object, cell As Object, number As Integer
 On Error GoTo Failed
 hidden(0).Name = "Hidden"
 hidden(0).Value = True
 save(0).Name = "FilterName"
 save(0).Value = "Calc MS Excel 2007 XML"
 opened = StarDesktop.loadComponentFromURL(ConvertToURL(told(0)), "_blank", 0, hidden())
 sheet = opened.Sheets.getByName(told(3))
 Select Case told(2)
 Case "sort"
  area = sheet.getCellRangeByName(told(4))
  fields(0).Field = CInt(told(5))
  fields(0).IsAscending = (told(6) = "up")
  how(0).Name = "SortFields"
  how(0).Value = fields()
  how(1).Name = "ContainsHeader"
  how(1).Value = False
  area.sort(how())
 Case "insert"
  sheet.Rows.insertByIndex(CLng(told(4)), 1)
 Case "delete"
  sheet.Rows.removeByIndex(CLng(told(4)), 1)
 Case "type"
  For number = 4 To UBound(told) - 1 Step 2
   cell = sheet.getCellRangeByName(told(number))
   If IsNumeric(told(number + 1)) Then
    cell.setValue(CDbl(told(number + 1)))
   Else
    cell.setString(told(number + 1))
   End If
  Next
 Case "write"
  sheet.getCellRangeByName(told(4)).setString(told(5))
 Case "clear"
  sheet.getCellRangeByName(told(4)).clearContents(7)
 Case "copy"
  sheet.copyRange(sheet.getCellRangeByName(told(5)).CellAddress, sheet.getCellRangeByName(told(4)).RangeAddress)
 Case "copy in"
  sheet.Rows.insertByIndex(CLng(told(5)), 1)
  area = sheet.getCellRangeByPosition(0, CLng(told(4)), 255, CLng(told(4))).RangeAddress
  sheet.copyRange(sheet.getCellByPosition(0, CLng(told(5))).CellAddress, area)
 Case "move"
  sheet.moveRange(sheet.getCellRangeByName(told(5)).CellAddress, sheet.getCellRangeByName(told(4)).RangeAddress)
 Case "fill"
  sheet.getCellRangeByName(told(4)).fillAuto(com.sun.star.sheet.FillDirection.TO_BOTTOM, 1)
 Case "delete column"
  sheet.Columns.removeByIndex(CLng(told(4)), 1)
 Case "insert column"
  sheet.Columns.insertByIndex(CLng(told(4)), 1)
 Case "rename"
  sheet.setName(told(4))
 Case "hide"
  sheet.Rows.getByIndex(CLng(told(4))).IsVisible = False
 Case "unprotect and delete"
  sheet.unprotect("")
  sheet.Rows.removeByIndex(CLng(told(4)), 1)
 Case "unprotect and write"
  sheet.unprotect("")
  sheet.getCellRangeByName(told(4)).setString(told(5))
 Case "delete sheet"
  opened.Sheets.removeByName(told(3))
 End Select
 If Environ("AS_OPENED") = "" Then opened.calculateAll()
 opened.storeToURL(ConvertToURL(told(1)), save())
 opened.close(True)
 Done = "done"
 Exit Function
Failed:
 Done = Error$ & " in line " & Erl
End Function
