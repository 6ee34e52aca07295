import ArgumentParser

struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print a completion script for bash, zsh or fish.",
        discussion: """
              source <(susi completion bash)       in ~/.bashrc
              source <(susi completion zsh)        in ~/.zshrc, after compinit
              susi completion fish | source        in ~/.config/fish/config.fish

            Completes commands, options, and the names of applications, policies, accounts and APIs. The names are read from \
            policies.json and the store, without network access and without unlocking the store.
            """)

    @Argument(help: "Shell")
    var shell: Shell

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        fileprivate var parserShell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    func run() throws {
        let script = Root.completionScript(for: shell.parserShell)
        switch shell {
        case .bash: Console.standard.out(script + "\n" + BashWords.script)
        // As in bash, completion must not run the program that was typed. The parser has no setting for it.
        case .zsh: Console.standard.out(script.replacing(#"command_name="${words[1]}""#, with: "command_name=susi"))
        case .fish: Console.standard.out(script)
        }
    }
}

/// An addition to the parser's bash script. bash splits words at @, : and =, which occur in emails, addresses and
/// `--option=value`. The addition joins these words before the parser's function reads them, and removes the part
/// before the last of these characters from the replies.
enum BashWords {
    /// The text appended to the parser's script.
    static let script = #"""
        __susi_whole_words() {
            local rest="${COMP_LINE:0:COMP_POINT}" gap word separate=""
            local -a whole=()
            local -i index last=-1
            for ((index = 0; index <= COMP_CWORD; index++)); do
                gap="${rest%%[![:space:]]*}"
                rest="${rest:${#gap}}"
                word="${COMP_WORDS[index]}"
                ((index == COMP_CWORD)) && word="${rest}"
                rest="${rest:${#word}}"
                if ((index == 0)) || [[ -n "${gap}${separate}" ]]; then whole[++last]=""; fi
                separate=""
                # --option=value is an option and its value.
                if [[ "${word}" == "=" && "${whole[last]}" == --* && "${whole[last]}" != *=* ]]; then
                    separate=yes
                else
                    whole[last]+="${word}"
                fi
            done
            if [[ -n "${separate}" ]]; then whole[++last]=""; fi
            # A word in quotes comes without the first one; a backslash stands before what the shell would split.
            local typed="${whole[last]}"
            case "${typed}" in [\'\"]*) typed="${2}" ;; esac
            typed="${typed//\\/}"
            local before="${typed%"${2//\\/}"}"
            # The typed word may be the path of a program that only has this name: completing never starts it.
            local -a COMP_WORDS=(susi "${whole[@]:1}")
            local -i COMP_CWORD="${last}"
            _susi "${1}" "${typed}" "${whole[last - 1]-}"
            local -a replies=("${COMPREPLY[@]}")
            COMPREPLY=()
            for word in "${replies[@]}"; do COMPREPLY+=("${word#"${before}"}"); done
        }

        complete -o filenames -F __susi_whole_words susi
        """#
}
