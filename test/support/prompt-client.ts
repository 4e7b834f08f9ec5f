import {appendFileSync, mkdirSync, renameSync, writeFileSync} from 'node:fs';
import {flushCompileCache} from 'node:module';
import {join} from 'node:path';
import {readProcStat} from '../../hooks/proc-stat.ts';

/**
 * A stand-in for Claude Code in a terminal: a prompt that takes keys and pastes as that does, and the files it keeps.
 * Arguments: its session's id, and its status. `exec:TEXT` in a message makes it run TEXT in the foreground.
 */
const [sessionId = '', status = 'idle'] = process.argv.slice(2);
// Whoever ends it gives it no time to keep its compiled code for the next start.
flushCompileCache();

const folder = `${process.env.CLAUDE_CONFIG_DIR}`;
const cwd = process.cwd();
const project = join(folder, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
mkdirSync(project, {recursive: true});
mkdirSync(join(folder, 'sessions'), {recursive: true});

const {pid} = process;
const file = join(folder, 'sessions', `${pid}.json`);
const startedAt = Date.now();
const about = {pid, sessionId, cwd, startedAt, procStart: readProcStat(pid)?.start, entrypoint: 'cli'};
writeFileSync(`${file}.new`, JSON.stringify({...about, status, statusUpdatedAt: startedAt}));
renameSync(`${file}.new`, file);

const [pasteStart, pasteEnd] = ['\x1b[200~', '\x1b[201~'];
let [typed, rest, isPasting] = ['', '', false];

/** Keys that are no text show that something else than a paste and Enter arrived. */
function take(key: string): void {
	if (isPasting || key !== '\r') typed += isPasting ? key.replaceAll('\r', '\n') : key;
	else {
		const message = {role: 'user', content: typed};
		const line = {type: 'user', uuid: 'u', timestamp: new Date().toISOString(), message};
		appendFileSync(join(project, `${sessionId}.jsonl`), `${JSON.stringify(line)}\n`);
		typed = '';
	}
}

process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
	for (rest += chunk; rest !== ''; ) {
		const mark = isPasting ? pasteEnd : pasteStart;
		const at = rest.indexOf(mark);
		// A part of a mark may be still to come.
		if (at < 0 && rest.length < mark.length && mark.startsWith(rest)) return;
		if (at === 0) {
			rest = rest.slice(mark.length);
			isPasting = !isPasting;
		} else {
			take(rest.slice(0, 1));
			rest = rest.slice(1);
		}
	}
});
process.stdout.write('\x1b[?2004hTHE PROMPT OF THE CLIENT');
