package builtin

// constants are rows of name, type and documentation.
var constants = [][3]string{
	{"None", "NoneType", "The value that stands for the absence of one."},
	{"True", "bool", "The truth value of what holds."},
	{"False", "bool", "The truth value of what does not hold."},
}

// functions are rows of signature and documentation.
var functions = [][2]string{
	{"abs(x, /)", "The magnitude of the int or float x, in the type of x."},
	{"all(iterable, /) -> bool", "Whether every element counts as true; so it is for no elements."},
	{"any(iterable, /) -> bool", "Whether at least one element counts as true."},
	{"bool(x = False, /) -> bool", `Whether x counts as true: zero, None and all that is empty do
not.`},
	{"bytes(x, /) -> bytes", `The bytes of x: a string gives its UTF-8 encoding, an iterable of
ints from 0 to 255 one byte for each.`},
	{"chr(i, /) -> string", "The string of the one code point i. See also ord."},
	{"dict(pairs = [], /, **kwargs) -> dict", `A new dict with the entries of pairs, which is a
dict or an iterable of key and value pairs, and one entry for each named argument.`},
	{"dir(x, /) -> list", "The names of the fields and methods of x, sorted."},
	{"enumerate(iterable, start = 0, /) -> list", `A list of (index, element) pairs, the index
counting from start.`},
	{"fail(*args, sep = \" \")", `Stops the program with an error. The message is made of the
arguments as print would write them.`},
	{"float(x = 0.0, /) -> float", `The float nearest to an int or a bool, or written in the string
x.`},
	{"getattr(x, name, default = None, /)", `The field or method of x of that name. If there is
none, the default, or an error when no default is given.`},
	{"hasattr(x, name, /) -> bool", "Whether x has a field or method of that name."},
	{"hash(x, /) -> int", "A hash of the string or bytes x, the same in every run."},
	{"int(x, base = 10) -> int", `The int that x stands for. A float loses its fraction. A string
is read in the base, which may be 0 to follow its prefix: 0x, 0o or 0b.`},
	{"len(x, /) -> int", "The number of elements of a collection, or of bytes of a string."},
	{"list(iterable = [], /) -> list", "A new list of the elements."},
	{"max(*args, key = None)", `The greatest of the arguments, or of the elements of a single one.
A key function maps each to what is compared.`},
	{"min(*args, key = None)", `The least of the arguments, or of the elements of a single one. A
key function maps each to what is compared.`},
	{"ord(s, /) -> int", `The number of the one code point of a string, or the value of a single
byte.`},
	{"print(*args, sep = \" \") -> NoneType", `Writes the arguments and a line end. What is no
string is written as str would give it.`},
	{"range(start, stop = None, step = 1, /) -> range", `The ints from start to just before stop,
in steps. With one argument, the ints from 0 to just before it.`},
	{"repr(x, /) -> string", "The source text of a value like x; strings are quoted."},
	{"reversed(iterable, /) -> list", "A new list of the elements, the last first."},
	{"set(iterable = [], /) -> set", "A new set of the elements, which must be hashable."},
	{"sorted(iterable, key = None, reverse = False) -> list", `A new list of the elements in
ascending order, or descending if reverse is true. Equal ones keep their order. A key function
maps each to what is compared.`},
	{"str(x, /) -> string", "The text of x: a string as it is, anything else as repr gives it."},
	{"tuple(iterable = [], /) -> tuple", "A tuple of the elements."},
	{"type(x, /) -> string", `The name of the type of x, such as "string" or "list".`},
	{"zip(*iterables) -> list", `A list of tuples: the first elements of all iterables, the second
ones, and so on until the shortest ends.`},
}

// methods are for each type rows of signature and documentation.
var methods = map[string][][2]string{
	"bytes": {
		{"elems()", "An iterable of the bytes as ints."},
	},
	"dict": {
		{"clear() -> NoneType", "Removes all entries."},
		{"get(key, default = None, /)", "The value of the key, or the default if there is none."},
		{"items() -> list", "A new list of the (key, value) pairs, in insertion order."},
		{"keys() -> list", "A new list of the keys, in insertion order."},
		{"pop(key, default = None, /)", `Removes the key and returns its value. If there is none: the
default, or an error when no default is given.`},
		{"popitem() -> tuple", "Removes the entry that was inserted first and returns its pair."},
		{"setdefault(key, default = None, /)", `The value of the key, which is the default from now on
if there was none.`},
		{"update(pairs = [], /, **kwargs) -> NoneType", `Sets the entries of pairs, a dict or an
iterable of key and value pairs, and one entry for each named argument.`},
		{"values() -> list", "A new list of the values, in insertion order of their keys."},
	},
	"list": {
		{"append(x, /) -> NoneType", "Adds x at the end."},
		{"clear() -> NoneType", "Removes all elements."},
		{"extend(iterable, /) -> NoneType", "Adds all elements of the iterable at the end."},
		{"index(x, start = 0, end = None, /) -> int", `The index of the first element equal to x,
looked for from start to before end. An error if there is none.`},
		{"insert(i, x, /) -> NoneType", "Puts x before the element at index i, or at the end."},
		{"pop(i = -1, /)", "Removes the element at index i, the last by default, and returns it."},
		{"remove(x, /) -> NoneType", `Removes the first element equal to x. An error if there is none.`},
	},
	"set": {
		{"add(x, /) -> NoneType", "Puts x into the set."},
		{"clear() -> NoneType", "Removes all elements."},
		{"difference(other, /) -> set", `A new set of the elements that the other iterable does not
hold.`},
		{"discard(x, /) -> NoneType", "Takes x out of the set if it is there."},
		{"intersection(other, /) -> set", `A new set of the elements that the other iterable holds
too.`},
		{"issubset(other, /) -> bool", "Whether the other iterable holds every element."},
		{"issuperset(other, /) -> bool", "Whether the set holds every element of the other iterable."},
		{"pop()", "Removes the element that was inserted first and returns it."},
		{"remove(x, /) -> NoneType", "Takes x out of the set. An error if it is not there."},
		{"symmetric_difference(other, /) -> set", `A new set of the elements that only one of the set
and the other iterable holds.`},
		{"union(*others) -> set", "A new set of the elements of the set and of all iterables."},
		{"update(*others) -> NoneType", "Puts the elements of all iterables into the set."},
	},
	"string": stringMethods,
}

var stringMethods = [][2]string{
	{"capitalize() -> string", "A copy whose first letter is upper case and the rest lower case."},
	{"codepoint_ords()", "An iterable of the code points as ints."},
	{"codepoints()", "An iterable of the code points as strings."},
	{"count(sub, start = 0, end = None, /) -> int", `How often sub occurs, without overlap, from
start to before end.`},
	{"elem_ords()", "An iterable of the bytes as ints."},
	{"elems()", "An iterable of the bytes as strings of length one."},
	{"endswith(suffix, start = 0, end = None, /) -> bool", `Whether the part from start to before
end ends with the suffix, or with one of a tuple of suffixes.`},
	{"find(sub, start = 0, end = None, /) -> int", `The index of the first occurrence of sub from
start to before end, or -1.`},
	{"format(*args, **kwargs) -> string", `A copy in which {}, {0} and {name} are replaced by the
arguments. {{ and }} stand for single braces, and {x!r} for the repr of x.`},
	{"index(sub, start = 0, end = None, /) -> int", `The index of the first occurrence of sub from
start to before end. An error if there is none.`},
	{"isalnum() -> bool", "Whether there are only letters and digits, and at least one."},
	{"isalpha() -> bool", "Whether there are only letters, and at least one."},
	{"isdigit() -> bool", "Whether there are only digits, and at least one."},
	{"islower() -> bool", "Whether there are letters with case and all of them are lower case."},
	{"isspace() -> bool", "Whether there is only white space, and some."},
	{"istitle() -> bool", `Whether every word begins with an upper case letter and goes on in lower
case.`},
	{"isupper() -> bool", "Whether there are letters with case and all of them are upper case."},
	{"join(iterable, /) -> string", `The strings of the iterable in a row, with this string between
them.`},
	{"lower() -> string", "A copy in lower case."},
	{"lstrip(cutset = None, /) -> string", `A copy without the leading white space, or without the
leading characters that cutset holds.`},
	{"partition(sep, /) -> tuple", `The parts before, at and behind the first occurrence of sep.
Without one, the string and two empty strings.`},
	{"removeprefix(prefix, /) -> string", `A copy without the prefix, if the string begins with it.`},
	{"removesuffix(suffix, /) -> string", "A copy without the suffix, if the string ends with it."},
	{"replace(old, new, count = -1, /) -> string", `A copy with new in place of old, everywhere or,
when count is not negative, at the first count places.`},
	{"rfind(sub, start = 0, end = None, /) -> int", `The index of the last occurrence of sub from
start to before end, or -1.`},
	{"rindex(sub, start = 0, end = None, /) -> int", `The index of the last occurrence of sub from
start to before end. An error if there is none.`},
	{"rpartition(sep, /) -> tuple", `The parts before, at and behind the last occurrence of sep.
Without one, two empty strings and the string.`},
	{"rsplit(sep = None, maxsplit = -1, /) -> list", `The parts between the separators, split from
the right at most maxsplit times. Without sep, white space separates.`},
	{"rstrip(cutset = None, /) -> string", `A copy without the trailing white space, or without the
trailing characters that cutset holds.`},
	{"split(sep = None, maxsplit = -1, /) -> list", `The parts between the separators, split at
most maxsplit times. Without sep, white space separates.`},
	{"splitlines(keepends = False, /) -> list", `The lines, with their line ends if keepends is
true.`},
	{"startswith(prefix, start = 0, end = None, /) -> bool", `Whether the part from start to before
end begins with the prefix, or with one of a tuple of prefixes.`},
	{"strip(cutset = None, /) -> string", `A copy without the white space at both ends, or without
the characters there that cutset holds.`},
	{"title() -> string", "A copy with every word in title case."},
	{"upper() -> string", "A copy in upper case."},
}
