-- Neovim, without a screen, as the editor of Starlark files: problems, hover, completion, definition
-- and rename, from a server that it spawns.
--
--   nvim --headless -u NONE -S editor.lua     with the environment variables
--     SERVER    the server's command line, its words separated by blanks
--     DIRECTORY an empty directory to work in
--
-- It prints "N passed, N failed" and exits 1 if a check failed.

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

local function write(name, lines)
  vim.fn.writefile(lines, root .. '/' .. name)
end

-- request sends a request about a place in the buffer, and returns its result.
local function request(method, line, column, more)
  local params = vim.tbl_extend('force', {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = line, character = column },
  }, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000) or {}
  local _, answer = next(answers)
  return answer and answer.result
end

local function run()
  write('lib.star', { 'def double(x):', '    """Returns twice x."""', '    return 2 * x' })
  write('main.star', {
    'load("lib.star", "double")',
    'def total(values):',
    '    return [double(v) for v in values]',
    'print(total([1]), misspelt)',
  })
  vim.cmd('edit ' .. vim.fn.fnameescape(root .. '/main.star'))

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
  vim.wait(10000, function() return #problems() > 0 end)
  check('a problem is shown', #problems() == 1 and problems()[1]:find('misspelt'), problems())

  vim.api.nvim_buf_set_lines(0, 3, 4, false, { 'print(total([1]))' })
  vim.wait(10000, function() return #problems() == 0 end)
  check('it goes when it is mended', #problems() == 0, problems())

  local hover = request('textDocument/hover', 2, 14)
  check('hover', hover and vim.inspect(hover.contents):find('twice x'), hover)

  local places = request('textDocument/definition', 2, 14) or {}
  local place = vim.tbl_islist(places) and places[1] or places
  check('definition', vim.endswith(place.uri or place.targetUri or '', '/lib.star'), places)

  local items = request('textDocument/completion', 3, 8) or {}
  local labels = vim.tbl_map(function(i) return i.label end, items.items or items)
  check('completion', vim.tbl_contains(labels, 'total'), labels)

  vim.api.nvim_win_set_cursor(0, { 2, 5 })
  vim.lsp.buf.rename('sum')
  local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
  vim.wait(10000, function() return lines()[4]:find('sum') ~= nil end)
  check('rename', lines()[2] == 'def sum(values):' and lines()[4] == 'print(sum([1]))', lines())

  vim.lsp.stop_client(id)
  vim.wait(10000, function() return exit ~= nil end)
  check('the server ends in order', exit == 0, exit)
end

local ok, err = xpcall(run, debug.traceback)
check('the script runs', ok, err)
finish()
