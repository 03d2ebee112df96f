-- Neovim, without a screen, as an editor: problems, hover, completion, definition and rename, from
-- a server that it spawns.
--
--   nvim --headless -u NONE -S editor.lua     with the environment variables
--     SUBJECT   the language: starlark or go
--     SERVER    the server's command line, its words separated by blanks
--     DIRECTORY an empty directory to work in
--
-- It prints "N passed, N failed" and exits 1 if a check failed.

-- What is edited: a file with a problem in its last line, and that line mended. Lines and
-- characters count from 0.
local subjects = {
  starlark = {
    files = {
      ['lib.star'] = { 'def double(x):', '    """Returns twice x."""', '    return 2 * x' },
      ['main.star'] = {
        'load("lib.star", "double")',
        'def total(values):',
        '    return [double(v) for v in values]',
        'print(total([1]), misspelt)',
      },
    },
    main = 'main.star',
    mended = 'print(total([1]))',
    use = { line = 2, character = 14, defined = 'lib.star' },
    complete = { line = 3, character = 8, label = 'total' },
    rename = { line = 1, character = 5, to = 'sum', lines = {
      'load("lib.star", "double")',
      'def sum(values):',
      '    return [double(v) for v in values]',
      'print(sum([1]))',
    } },
  },
  go = {
    files = {
      ['go.mod'] = { 'module example.com/double', '', 'go 1.26' },
      ['main.go'] = {
        'package main',
        '',
        '// double returns twice x.',
        'func double(x int) int { return 2 * x }',
        '',
        'func main() { println(double(1), misspelt) }',
      },
    },
    main = 'main.go',
    mended = 'func main() { println(double(1)) }',
    use = { line = 5, character = 24, defined = 'main.go' },
    complete = { line = 5, character = 25, label = 'double' },
    rename = { line = 3, character = 6, to = 'twice', lines = {
      'package main',
      '',
      '// twice returns twice x.',
      'func twice(x int) int { return 2 * x }',
      '',
      'func main() { println(twice(1)) }',
    } },
  },
}

local subject = subjects[vim.env.SUBJECT]
local root = vim.env.DIRECTORY
local passed, failed = 0, 0

local function check(name, ok, found)
  if ok then
    passed = passed + 1
    return
  end
  failed = failed + 1
  io.stdout:write('FAILED: ' .. name .. ': ' .. vim.inspect(found) .. '\n')
end

local function finish()
  io.stdout:write(string.format('%d passed, %d failed\n', passed, failed))
  vim.cmd(failed == 0 and 'qall!' or 'cquit!')
end

-- request sends a request about a place in the buffer, and returns its result.
local function request(method, place)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = place.line, character = place.character },
  }
  local answers = vim.lsp.buf_request_sync(0, method, params, 30000) or {}
  local _, answer = next(answers)
  return answer and answer.result
end

local function run()
  for name, lines in pairs(subject.files) do
    vim.fn.writefile(lines, root .. '/' .. name)
  end
  vim.cmd('edit ' .. vim.fn.fnameescape(root .. '/' .. subject.main))

  local exit
  local id = vim.lsp.start_client({
    cmd = vim.split(vim.env.SERVER, ' '),
    root_dir = root,
    on_exit = function(code) exit = code end,
  })
  check('the server starts', id ~= nil, id)
  vim.lsp.buf_attach_client(0, id)

  local function problems()
    return vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(0))
  end
  vim.wait(30000, function() return #problems() > 0 end)
  check('a problem is shown', #problems() == 1 and problems()[1]:find('misspelt'), problems())

  vim.api.nvim_buf_set_lines(0, -2, -1, false, { subject.mended })
  vim.wait(30000, function() return #problems() == 0 end)
  check('it goes when it is mended', #problems() == 0, problems())

  local hover = request('textDocument/hover', subject.use)
  check('hover', hover and vim.inspect(hover.contents):find('twice x'), hover)

  local places = request('textDocument/definition', subject.use) or {}
  local place = vim.tbl_islist(places) and places[1] or places
  local target = place.targetUri or place.uri or ''
  check('definition', vim.endswith(target, '/' .. subject.use.defined), places)

  local items = request('textDocument/completion', subject.complete) or {}
  local labels = vim.tbl_map(function(i) return i.label end, items.items or items)
  check('completion', vim.tbl_contains(labels, subject.complete.label), labels)

  local rename = subject.rename
  local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
  vim.api.nvim_win_set_cursor(0, { rename.line + 1, rename.character })
  vim.lsp.buf.rename(rename.to)
  vim.wait(30000, function() return vim.deep_equal(lines(), rename.lines) end)
  check('rename', vim.deep_equal(lines(), rename.lines), lines())

  vim.lsp.stop_client(id)
  vim.wait(30000, function() return exit ~= nil end)
  check('the server ends in order', exit == 0, exit)
end

local ok, err = xpcall(run, debug.traceback)
check('the script runs', ok, err)
finish()
