import {userInfo} from 'node:os';

export function userName(): string {
	try {
		return userInfo().username;
	} catch {
		// A user id without a name, as in containers.
		return `${process.getuid?.() ?? 'user'}`;
	}
}
